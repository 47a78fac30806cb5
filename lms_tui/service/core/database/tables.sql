CREATE TABLE accommodations (
	user_id INTEGER NOT NULL, 
	factor BIGINT NOT NULL, 
	extra BIGINT NOT NULL, 
	closes_later BIGINT NOT NULL, 
	no_limit BOOLEAN NOT NULL, 
	CONSTRAINT pk_accommodations PRIMARY KEY (user_id), 
	CONSTRAINT fk_accommodations_user_id_users FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);

CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL PRIMARY KEY);

CREATE TABLE attempt_file_parts (
	file_id INTEGER NOT NULL, 
	"offset" INTEGER NOT NULL, 
	content BLOB NOT NULL, 
	CONSTRAINT pk_attempt_file_parts PRIMARY KEY (file_id, "offset"), 
	CONSTRAINT fk_attempt_file_parts_file_id_attempt_files FOREIGN KEY(file_id) REFERENCES attempt_files (id) ON DELETE CASCADE
);

CREATE TABLE attempt_files (
	attempt_id INTEGER NOT NULL, 
	digest VARCHAR(64) NOT NULL, 
	size INTEGER NOT NULL, 
	received INTEGER NOT NULL, 
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	CONSTRAINT uq_attempt_files_attempt_id_digest UNIQUE (attempt_id, digest), 
	CONSTRAINT ck_attempt_files_received CHECK (received >= 0 AND received <= size), 
	CONSTRAINT fk_attempt_files_attempt_id_attempts FOREIGN KEY(attempt_id) REFERENCES attempts (id) ON DELETE CASCADE
);

CREATE TABLE attempt_questions (
	attempt_id INTEGER NOT NULL, 
	question_id INTEGER NOT NULL, 
	section_id INTEGER NOT NULL, 
	"order" INTEGER NOT NULL, 
	option_order JSON DEFAULT '[]' NOT NULL, 
	selected_answers JSON NOT NULL, 
	short_text TEXT, 
	essay_text TEXT, 
	essay_topic TEXT, 
	gap_fill_responses JSON NOT NULL, 
	review BOOLEAN, 
	answer_stamps JSON NOT NULL, 
	duration BIGINT, 
	first_seen DATETIME, 
	last_seen DATETIME, 
	outcome VARCHAR(16), 
	marks BIGINT, 
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	CONSTRAINT uq_attempt_questions_attempt_id_question_id UNIQUE (attempt_id, question_id), 
	CONSTRAINT ck_attempt_questions_outcome CHECK (outcome IN ('correct', 'partial', 'incorrect', 'unanswered', 'unscored')), 
	CONSTRAINT fk_attempt_questions_attempt_id_attempts FOREIGN KEY(attempt_id) REFERENCES attempts (id) ON DELETE CASCADE, 
	CONSTRAINT fk_attempt_questions_question_id_questions FOREIGN KEY(question_id) REFERENCES questions (id) ON DELETE CASCADE, 
	CONSTRAINT fk_attempt_questions_section_id_attempt_sections FOREIGN KEY(section_id) REFERENCES attempt_sections (id) ON DELETE CASCADE
);

CREATE TABLE attempt_sections (
	attempt_id INTEGER NOT NULL, 
	exam_section_id INTEGER NOT NULL, 
	"order" INTEGER NOT NULL, 
	state VARCHAR(16) NOT NULL, 
	allowed BIGINT, 
	time_taken BIGINT NOT NULL, 
	over DATETIME, 
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	CONSTRAINT uq_attempt_sections_attempt_id_order UNIQUE (attempt_id, "order"), 
	CONSTRAINT ck_attempt_sections_state CHECK (state IN ('Not Started', 'Running', 'Completed')), 
	CONSTRAINT fk_attempt_sections_attempt_id_attempts FOREIGN KEY(attempt_id) REFERENCES attempts (id) ON DELETE CASCADE, 
	CONSTRAINT fk_attempt_sections_exam_section_id_exam_sections FOREIGN KEY(exam_section_id) REFERENCES exam_sections (id) ON DELETE CASCADE
);

CREATE TABLE attempts (
	exam_id INTEGER NOT NULL, 
	user_id INTEGER NOT NULL, 
	state VARCHAR(16) NOT NULL, 
	date DATETIME NOT NULL, 
	last_started_time DATETIME NOT NULL, 
	last_contact DATETIME NOT NULL, 
	last_answer DATETIME, 
	answers_seen TEXT NOT NULL, 
	ended DATETIME, 
	time_over BOOLEAN NOT NULL, 
	allowed BIGINT, 
	time_taken BIGINT NOT NULL, 
	deadline DATETIME, 
	paused DATETIME, 
	newest_notice INTEGER DEFAULT '0' NOT NULL, 
	total_questions INTEGER NOT NULL, 
	score BIGINT NOT NULL, 
	max_score BIGINT NOT NULL, 
	correct_count INTEGER NOT NULL, 
	incorrect_count INTEGER NOT NULL, 
	unanswered_count INTEGER NOT NULL, 
	total_bonus BIGINT NOT NULL, 
	speed DOUBLE NOT NULL, 
	accuracy DOUBLE NOT NULL, 
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	CONSTRAINT ck_attempts_state CHECK (state IN ('Running', 'Completed')), 
	CONSTRAINT fk_attempts_exam_id_exams FOREIGN KEY(exam_id) REFERENCES exams (id) ON DELETE CASCADE, 
	CONSTRAINT fk_attempts_user_id_users FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);

CREATE TABLE audit (
	at DATETIME NOT NULL, 
	who VARCHAR(200) NOT NULL, 
	what VARCHAR(100) NOT NULL, 
	about VARCHAR(500) NOT NULL, 
	"before" JSON, 
	"after" JSON, 
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT
);

CREATE TABLE batch_members (
	batch_id INTEGER NOT NULL, 
	user_id INTEGER NOT NULL, 
	CONSTRAINT pk_batch_members PRIMARY KEY (batch_id, user_id), 
	CONSTRAINT fk_batch_members_batch_id_batches FOREIGN KEY(batch_id) REFERENCES batches (id) ON DELETE CASCADE, 
	CONSTRAINT fk_batch_members_user_id_users FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);

CREATE TABLE batches (
	name VARCHAR(200) NOT NULL, 
	created DATETIME NOT NULL, 
	modified DATETIME NOT NULL, 
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	CONSTRAINT uq_batches_name UNIQUE (name)
);

CREATE TABLE best_scores (
	user_id INTEGER NOT NULL, 
	exam_id INTEGER NOT NULL, 
	attempt_id INTEGER NOT NULL, 
	score BIGINT NOT NULL, 
	CONSTRAINT pk_best_scores PRIMARY KEY (user_id, exam_id), 
	CONSTRAINT fk_best_scores_attempt_id_attempts FOREIGN KEY(attempt_id) REFERENCES attempts (id) ON DELETE CASCADE
);

CREATE TABLE categories (
	name VARCHAR(200) NOT NULL, 
	color VARCHAR(6) NOT NULL, 
	slug VARCHAR(200) NOT NULL, 
	is_starred BOOLEAN NOT NULL, 
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	CONSTRAINT uq_categories_name UNIQUE (name), 
	CONSTRAINT uq_categories_slug UNIQUE (slug)
);

CREATE TABLE content_assignments (
	content_id INTEGER NOT NULL, 
	user_id INTEGER NOT NULL, 
	CONSTRAINT pk_content_assignments PRIMARY KEY (content_id, user_id), 
	CONSTRAINT fk_content_assignments_content_id_contents FOREIGN KEY(content_id) REFERENCES contents (id) ON DELETE CASCADE, 
	CONSTRAINT fk_content_assignments_user_id_users FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);

CREATE TABLE content_attempts (
	content_id INTEGER NOT NULL, 
	user_id INTEGER NOT NULL, 
	date DATETIME NOT NULL, 
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	CONSTRAINT fk_content_attempts_content_id_contents FOREIGN KEY(content_id) REFERENCES contents (id) ON DELETE CASCADE, 
	CONSTRAINT fk_content_attempts_user_id_users FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);

CREATE TABLE contents (
	uuid CHAR(32) NOT NULL, 
	course_id INTEGER NOT NULL, 
	exam_id INTEGER, 
	chapter VARCHAR(300) NOT NULL, 
	"order" INTEGER NOT NULL, 
	title VARCHAR(300) NOT NULL, 
	content_type VARCHAR(32) NOT NULL, 
	start_date DATETIME, 
	is_published BOOLEAN NOT NULL, 
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	CONSTRAINT uq_contents_uuid UNIQUE (uuid), 
	CONSTRAINT fk_contents_course_id_courses FOREIGN KEY(course_id) REFERENCES courses (id) ON DELETE CASCADE, 
	CONSTRAINT fk_contents_exam_id_exams FOREIGN KEY(exam_id) REFERENCES exams (id) ON DELETE CASCADE
);

CREATE TABLE course_batches (
	course_id INTEGER NOT NULL, 
	batch_id INTEGER NOT NULL, 
	CONSTRAINT pk_course_batches PRIMARY KEY (course_id, batch_id), 
	CONSTRAINT fk_course_batches_course_id_courses FOREIGN KEY(course_id) REFERENCES courses (id) ON DELETE CASCADE, 
	CONSTRAINT fk_course_batches_batch_id_batches FOREIGN KEY(batch_id) REFERENCES batches (id) ON DELETE CASCADE
);

CREATE TABLE courses (
	name VARCHAR(300) NOT NULL, 
	is_public BOOLEAN NOT NULL, 
	created DATETIME NOT NULL, 
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	CONSTRAINT uq_courses_name UNIQUE (name)
);

CREATE TABLE email_addresses (
	address VARCHAR(762) NOT NULL, 
	user_id INTEGER NOT NULL, 
	given BOOLEAN NOT NULL, 
	CONSTRAINT pk_email_addresses PRIMARY KEY (address), 
	CONSTRAINT fk_email_addresses_user_id_users FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);

CREATE TABLE exam_batches (
	exam_id INTEGER NOT NULL, 
	batch_id INTEGER NOT NULL, 
	CONSTRAINT pk_exam_batches PRIMARY KEY (exam_id, batch_id), 
	CONSTRAINT fk_exam_batches_exam_id_exams FOREIGN KEY(exam_id) REFERENCES exams (id) ON DELETE CASCADE, 
	CONSTRAINT fk_exam_batches_batch_id_batches FOREIGN KEY(batch_id) REFERENCES batches (id) ON DELETE CASCADE
);

CREATE TABLE exam_sections (
	exam_id INTEGER NOT NULL, 
	"order" INTEGER NOT NULL, 
	name VARCHAR(300) NOT NULL, 
	duration BIGINT, 
	cut_off INTEGER NOT NULL, 
	instructions TEXT NOT NULL, 
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	CONSTRAINT uq_exam_sections_exam_id_order UNIQUE (exam_id, "order"), 
	CONSTRAINT fk_exam_sections_exam_id_exams FOREIGN KEY(exam_id) REFERENCES exams (id) ON DELETE CASCADE
);

CREATE TABLE exams (
	slug VARCHAR(200) NOT NULL, 
	title VARCHAR(300) NOT NULL, 
	description TEXT NOT NULL, 
	course_id INTEGER NOT NULL, 
	language VARCHAR(35) NOT NULL, 
	start_date DATETIME NOT NULL, 
	end_date DATETIME, 
	is_published BOOLEAN NOT NULL, 
	is_public BOOLEAN NOT NULL, 
	duration BIGINT, 
	mark_per_question BIGINT NOT NULL, 
	negative_marks BIGINT NOT NULL, 
	variable_mark_per_question BOOLEAN NOT NULL, 
	number_of_questions INTEGER NOT NULL, 
	template_type INTEGER NOT NULL, 
	allow_retake BOOLEAN NOT NULL, 
	max_retakes INTEGER, 
	enable_ranks BOOLEAN NOT NULL, 
	rank_publishing_date DATETIME, 
	show_answers BOOLEAN NOT NULL, 
	answers_after_closing BOOLEAN DEFAULT 0 NOT NULL, 
	shuffle_questions BOOLEAN DEFAULT 0 NOT NULL, 
	shuffle_options BOOLEAN DEFAULT 0 NOT NULL, 
	is_archived BOOLEAN DEFAULT 0 NOT NULL, 
	is_bank BOOLEAN DEFAULT 0 NOT NULL, 
	picks JSON DEFAULT '[]' NOT NULL, 
	access_code VARCHAR(100) DEFAULT '' NOT NULL, 
	immediate_feedback BOOLEAN NOT NULL, 
	allow_preemptive_section_ending BOOLEAN NOT NULL, 
	allow_pdf BOOLEAN NOT NULL, 
	allow_question_pdf BOOLEAN NOT NULL, 
	calculator VARCHAR(16) DEFAULT 'scientific' NOT NULL, 
	reference_sheet TEXT DEFAULT '' NOT NULL, 
	source_digest VARCHAR(64) NOT NULL, 
	created DATETIME NOT NULL, 
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	CONSTRAINT uq_exams_slug UNIQUE (slug), 
	CONSTRAINT fk_exams_course_id_courses FOREIGN KEY(course_id) REFERENCES courses (id)
);

CREATE TABLE hand_marks (
	attempt_question_id INTEGER NOT NULL, 
	is_released BOOLEAN NOT NULL, 
	marks BIGINT NOT NULL, 
	comment TEXT NOT NULL, 
	reason TEXT NOT NULL, 
	"by" VARCHAR(200) NOT NULL, 
	at DATETIME NOT NULL, 
	CONSTRAINT pk_hand_marks PRIMARY KEY (attempt_question_id, is_released), 
	CONSTRAINT fk_hand_marks_attempt_question_id_attempt_questions FOREIGN KEY(attempt_question_id) REFERENCES attempt_questions (id) ON DELETE CASCADE
);

CREATE TABLE leases (
	name VARCHAR(64) NOT NULL, 
	holder VARCHAR(64) NOT NULL, 
	expires DATETIME NOT NULL, 
	CONSTRAINT pk_leases PRIMARY KEY (name)
);

CREATE TABLE mentor_students (
	mentor_id INTEGER NOT NULL, 
	student_id INTEGER NOT NULL, 
	CONSTRAINT pk_mentor_students PRIMARY KEY (mentor_id, student_id), 
	CONSTRAINT fk_mentor_students_mentor_id_users FOREIGN KEY(mentor_id) REFERENCES users (id) ON DELETE CASCADE, 
	CONSTRAINT fk_mentor_students_student_id_users FOREIGN KEY(student_id) REFERENCES users (id) ON DELETE CASCADE
);

CREATE TABLE notices (
	attempt_id INTEGER NOT NULL, 
	at DATETIME NOT NULL, 
	kind VARCHAR(16) NOT NULL, 
	text TEXT NOT NULL, 
	seen DATETIME, 
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	CONSTRAINT ck_notices_kind CHECK (kind IN ('time', 'pause', 'go on', 'end', 'reopen', 'message')), 
	CONSTRAINT fk_notices_attempt_id_attempts FOREIGN KEY(attempt_id) REFERENCES attempts (id) ON DELETE CASCADE
);

CREATE TABLE numeric_keys (
	question_id INTEGER NOT NULL, 
	low VARCHAR(80) NOT NULL, 
	high VARCHAR(80) NOT NULL, 
	gap INTEGER NOT NULL, 
	weight BIGINT NOT NULL, 
	feedback_html TEXT NOT NULL, 
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	CONSTRAINT fk_numeric_keys_question_id_questions FOREIGN KEY(question_id) REFERENCES questions (id) ON DELETE CASCADE
);

CREATE TABLE options (
	question_id INTEGER NOT NULL, 
	"order" INTEGER NOT NULL, 
	html TEXT NOT NULL, 
	is_correct BOOLEAN NOT NULL, 
	weight BIGINT, 
	feedback_html TEXT NOT NULL, 
	is_fixed BOOLEAN DEFAULT 0 NOT NULL, 
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	CONSTRAINT fk_options_question_id_questions FOREIGN KEY(question_id) REFERENCES questions (id) ON DELETE CASCADE
);

CREATE TABLE pairs (
	question_id INTEGER NOT NULL, 
	"order" INTEGER NOT NULL, 
	left_html TEXT NOT NULL, 
	"right" TEXT NOT NULL, 
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	CONSTRAINT fk_pairs_question_id_questions FOREIGN KEY(question_id) REFERENCES questions (id) ON DELETE CASCADE
);

CREATE TABLE passages (
	exam_id INTEGER NOT NULL, 
	html TEXT NOT NULL, 
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	CONSTRAINT fk_passages_exam_id_exams FOREIGN KEY(exam_id) REFERENCES exams (id) ON DELETE CASCADE
);

CREATE TABLE photos (
	user_id INTEGER NOT NULL, 
	x_offset INTEGER NOT NULL, 
	y_offset INTEGER NOT NULL, 
	crop_width INTEGER NOT NULL, 
	crop_height INTEGER NOT NULL, 
	CONSTRAINT pk_photos PRIMARY KEY (user_id), 
	CONSTRAINT fk_photos_user_id_users FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);

CREATE TABLE playback_tokens (
	"key" CHAR(32) NOT NULL, 
	content_id INTEGER NOT NULL, 
	expires_after_first_usage BOOLEAN NOT NULL, 
	valid_until DATETIME, 
	used DATETIME, 
	annotations JSON NOT NULL, 
	created DATETIME NOT NULL, 
	modified DATETIME NOT NULL, 
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	CONSTRAINT uq_playback_tokens_key UNIQUE ("key"), 
	CONSTRAINT fk_playback_tokens_content_id_contents FOREIGN KEY(content_id) REFERENCES contents (id) ON DELETE CASCADE
);

CREATE TABLE post_batches (
	post_id INTEGER NOT NULL, 
	batch_id INTEGER NOT NULL, 
	CONSTRAINT pk_post_batches PRIMARY KEY (post_id, batch_id), 
	CONSTRAINT fk_post_batches_post_id_posts FOREIGN KEY(post_id) REFERENCES posts (id) ON DELETE CASCADE, 
	CONSTRAINT fk_post_batches_batch_id_batches FOREIGN KEY(batch_id) REFERENCES batches (id) ON DELETE CASCADE
);

CREATE TABLE post_products (
	post_id INTEGER NOT NULL, 
	product_id INTEGER NOT NULL, 
	CONSTRAINT pk_post_products PRIMARY KEY (post_id, product_id), 
	CONSTRAINT fk_post_products_post_id_posts FOREIGN KEY(post_id) REFERENCES posts (id) ON DELETE CASCADE, 
	CONSTRAINT fk_post_products_product_id_products FOREIGN KEY(product_id) REFERENCES products (id) ON DELETE CASCADE
);

CREATE TABLE posts (
	slug VARCHAR(200) NOT NULL, 
	title VARCHAR(300) NOT NULL, 
	summary TEXT NOT NULL, 
	content_html TEXT NOT NULL, 
	created_by_id INTEGER, 
	category_id INTEGER, 
	is_active BOOLEAN NOT NULL, 
	is_public BOOLEAN NOT NULL, 
	created DATETIME NOT NULL, 
	modified DATETIME NOT NULL, 
	published_date DATETIME NOT NULL, 
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	CONSTRAINT uq_posts_slug UNIQUE (slug), 
	CONSTRAINT fk_posts_created_by_id_users FOREIGN KEY(created_by_id) REFERENCES users (id) ON DELETE SET NULL, 
	CONSTRAINT fk_posts_category_id_categories FOREIGN KEY(category_id) REFERENCES categories (id)
);

CREATE TABLE product_members (
	product_id INTEGER NOT NULL, 
	user_id INTEGER NOT NULL, 
	CONSTRAINT pk_product_members PRIMARY KEY (product_id, user_id), 
	CONSTRAINT fk_product_members_product_id_products FOREIGN KEY(product_id) REFERENCES products (id) ON DELETE CASCADE, 
	CONSTRAINT fk_product_members_user_id_users FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);

CREATE TABLE products (
	title VARCHAR(200) NOT NULL, 
	slug VARCHAR(200) NOT NULL, 
	image VARCHAR(500) NOT NULL, 
	images JSON NOT NULL, 
	start_date DATETIME, 
	end_date DATETIME, 
	categories JSON NOT NULL, 
	types JSON NOT NULL, 
	exams_count INTEGER NOT NULL, 
	notes_count INTEGER NOT NULL, 
	price BIGINT NOT NULL, 
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	CONSTRAINT uq_products_title UNIQUE (title), 
	CONSTRAINT uq_products_slug UNIQUE (slug)
);

CREATE TABLE question_totals (
	question_id INTEGER NOT NULL, 
	ended INTEGER NOT NULL, 
	correct INTEGER NOT NULL, 
	timed INTEGER NOT NULL, 
	duration BIGINT NOT NULL, 
	best_duration BIGINT, 
	CONSTRAINT pk_question_totals PRIMARY KEY (question_id), 
	CONSTRAINT fk_question_totals_question_id_questions FOREIGN KEY(question_id) REFERENCES questions (id) ON DELETE CASCADE
);

CREATE TABLE questions (
	exam_id INTEGER NOT NULL, 
	section_id INTEGER NOT NULL, 
	passage_id INTEGER, 
	subject_id INTEGER, 
	"order" INTEGER NOT NULL, 
	kind VARCHAR(1) NOT NULL, 
	title VARCHAR(300) NOT NULL, 
	html TEXT NOT NULL, 
	explanation_html TEXT NOT NULL, 
	marks BIGINT NOT NULL, 
	negative_marks BIGINT NOT NULL, 
	is_bonus BOOLEAN NOT NULL, 
	language VARCHAR(35) NOT NULL, 
	identifier VARCHAR(300) NOT NULL, 
	essay_topics JSON NOT NULL, 
	tags JSON NOT NULL, 
	gap_choices JSON NOT NULL, 
	pool INTEGER DEFAULT '0' NOT NULL, 
	content_digest VARCHAR(64) DEFAULT '' NOT NULL, 
	correction VARCHAR(16) DEFAULT '' NOT NULL, 
	corrected DATETIME, 
	rubric JSON DEFAULT '[]' NOT NULL, 
	file_types JSON DEFAULT '[]' NOT NULL, 
	most_files INTEGER DEFAULT '1' NOT NULL, 
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	CONSTRAINT uq_questions_exam_id_order UNIQUE (exam_id, "order"), 
	CONSTRAINT ck_questions_kind CHECK (kind IN ('R', 'C', 'S', 'N', 'E', 'F', 'G', 'M')), 
	CONSTRAINT fk_questions_exam_id_exams FOREIGN KEY(exam_id) REFERENCES exams (id) ON DELETE CASCADE, 
	CONSTRAINT fk_questions_section_id_exam_sections FOREIGN KEY(section_id) REFERENCES exam_sections (id) ON DELETE CASCADE, 
	CONSTRAINT fk_questions_passage_id_passages FOREIGN KEY(passage_id) REFERENCES passages (id), 
	CONSTRAINT fk_questions_subject_id_subjects FOREIGN KEY(subject_id) REFERENCES subjects (id)
);

CREATE TABLE report_cards (
	user_id INTEGER NOT NULL, 
	title VARCHAR(300) NOT NULL, 
	total_score BIGINT NOT NULL, 
	total_min_range BIGINT NOT NULL, 
	total_max_range BIGINT NOT NULL, 
	is_published BOOLEAN NOT NULL, 
	created DATETIME NOT NULL, 
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	CONSTRAINT fk_report_cards_user_id_users FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);

CREATE TABLE report_groups (
	report_card_id INTEGER NOT NULL, 
	"order" INTEGER NOT NULL, 
	name VARCHAR(300) NOT NULL, 
	score BIGINT, 
	min_score BIGINT NOT NULL, 
	max_score BIGINT NOT NULL, 
	average_score BIGINT NOT NULL, 
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	CONSTRAINT fk_report_groups_report_card_id_report_cards FOREIGN KEY(report_card_id) REFERENCES report_cards (id) ON DELETE CASCADE
);

CREATE TABLE score_counts (
	exam_id INTEGER NOT NULL, 
	score BIGINT NOT NULL, 
	students INTEGER NOT NULL, 
	CONSTRAINT pk_score_counts PRIMARY KEY (exam_id, score), 
	CONSTRAINT fk_score_counts_exam_id_exams FOREIGN KEY(exam_id) REFERENCES exams (id) ON DELETE CASCADE
);

CREATE TABLE second_marks (
	attempt_question_id INTEGER NOT NULL, 
	marks BIGINT NOT NULL, 
	comment TEXT NOT NULL, 
	"by" VARCHAR(200) NOT NULL, 
	at DATETIME NOT NULL, 
	CONSTRAINT pk_second_marks PRIMARY KEY (attempt_question_id), 
	CONSTRAINT fk_second_marks_attempt_question_id_attempt_questions FOREIGN KEY(attempt_question_id) REFERENCES attempt_questions (id) ON DELETE CASCADE
);

CREATE TABLE server_epoch (
	id INTEGER NOT NULL, 
	value VARCHAR(32) NOT NULL, 
	ticks BIGINT NOT NULL, 
	place VARCHAR(64) NOT NULL, 
	CONSTRAINT pk_server_epoch PRIMARY KEY (id), 
	CONSTRAINT ck_server_epoch_single CHECK (id = 1)
);

CREATE TABLE sign_in_levels (
	"key" VARCHAR(80) NOT NULL, 
	level DOUBLE NOT NULL, 
	counted DATETIME NOT NULL, 
	blocked_until DATETIME NOT NULL, 
	CONSTRAINT pk_sign_in_levels PRIMARY KEY ("key")
);

CREATE TABLE ssh_keys (
	user_id INTEGER NOT NULL, 
	fingerprint VARCHAR(64) NOT NULL, 
	name VARCHAR(100) NOT NULL, 
	created DATETIME NOT NULL, 
	CONSTRAINT pk_ssh_keys PRIMARY KEY (user_id, fingerprint), 
	CONSTRAINT fk_ssh_keys_user_id_users FOREIGN KEY(user_id) REFERENCES users (id) ON DELETE CASCADE
);

CREATE TABLE subjects (
	name VARCHAR(300) NOT NULL, 
	parent_id INTEGER, 
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	CONSTRAINT uq_subjects_parent_id_name UNIQUE (parent_id, name), 
	CONSTRAINT fk_subjects_parent_id_subjects FOREIGN KEY(parent_id) REFERENCES subjects (id)
);

CREATE TABLE text_keys (
	question_id INTEGER NOT NULL, 
	text TEXT NOT NULL, 
	gap INTEGER NOT NULL, 
	case_sensitive BOOLEAN NOT NULL, 
	weight BIGINT NOT NULL, 
	feedback_html TEXT NOT NULL, 
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	CONSTRAINT fk_text_keys_question_id_questions FOREIGN KEY(question_id) REFERENCES questions (id) ON DELETE CASCADE
);

CREATE TABLE users (
	username VARCHAR(150) NOT NULL, 
	name_key VARCHAR(450), 
	role VARCHAR(16) NOT NULL, 
	is_active BOOLEAN NOT NULL, 
	password_hash VARCHAR(200), 
	tokens_valid_from DATETIME NOT NULL, 
	first_name VARCHAR(150) NOT NULL, 
	last_name VARCHAR(150) NOT NULL, 
	email VARCHAR(254) NOT NULL, 
	photo VARCHAR(500) NOT NULL, 
	birth_date DATE, 
	gender_code VARCHAR(8), 
	address1 VARCHAR(255) NOT NULL, 
	address2 VARCHAR(255) NOT NULL, 
	city VARCHAR(100) NOT NULL, 
	zip VARCHAR(20) NOT NULL, 
	state_code VARCHAR(8), 
	phone VARCHAR(30) NOT NULL, 
	created DATETIME NOT NULL, 
	modified DATETIME NOT NULL, 
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	CONSTRAINT ck_users_role CHECK (role IN ('student', 'mentor', 'moderator', 'admin')), 
	CONSTRAINT uq_users_username UNIQUE (username)
);

CREATE TABLE videos (
	content_id INTEGER NOT NULL, 
	title VARCHAR(300) NOT NULL, 
	file VARCHAR(200) NOT NULL, 
	id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, 
	CONSTRAINT uq_videos_content_id UNIQUE (content_id), 
	CONSTRAINT fk_videos_content_id_contents FOREIGN KEY(content_id) REFERENCES contents (id) ON DELETE CASCADE
);

CREATE INDEX ix_attempt_questions_attempt_id_attempt_questions_order ON attempt_questions (attempt_id, "order");

CREATE INDEX ix_attempt_questions_question_id_attempt_questions_outcome ON attempt_questions (question_id, outcome);

CREATE INDEX ix_attempt_questions_section_id ON attempt_questions (section_id);

CREATE INDEX ix_attempt_sections_exam_section_id ON attempt_sections (exam_section_id);

CREATE INDEX ix_attempts_exam_id_attempts_state ON attempts (exam_id, state);

CREATE INDEX ix_attempts_state_attempts_deadline ON attempts (state, deadline);

CREATE INDEX ix_attempts_user_id_attempts_date_attempts_id ON attempts (user_id, date, id);

CREATE INDEX ix_attempts_user_id_attempts_exam_id_attempts_date_attempts_id ON attempts (user_id, exam_id, date, id);

CREATE INDEX ix_audit_at ON audit (at);

CREATE INDEX ix_batch_members_user_id ON batch_members (user_id);

CREATE INDEX ix_best_scores_attempt_id ON best_scores (attempt_id);

CREATE INDEX ix_content_assignments_user_id ON content_assignments (user_id);

CREATE INDEX ix_content_attempts_content_id ON content_attempts (content_id);

CREATE INDEX ix_content_attempts_user_id_content_attempts_content_id ON content_attempts (user_id, content_id);

CREATE INDEX ix_contents_content_type ON contents (content_type);

CREATE INDEX ix_contents_course_id_contents_order ON contents (course_id, "order");

CREATE INDEX ix_contents_exam_id ON contents (exam_id);

CREATE INDEX ix_course_batches_batch_id ON course_batches (batch_id);

CREATE INDEX ix_email_addresses_user_id ON email_addresses (user_id);

CREATE INDEX ix_exam_batches_batch_id ON exam_batches (batch_id);

CREATE INDEX ix_exams_course_id ON exams (course_id);

CREATE INDEX ix_mentor_students_student_id ON mentor_students (student_id);

CREATE INDEX ix_notices_attempt_id_notices_id ON notices (attempt_id, id);

CREATE INDEX ix_numeric_keys_question_id ON numeric_keys (question_id);

CREATE INDEX ix_options_question_id_options_order ON options (question_id, "order");

CREATE INDEX ix_pairs_question_id_pairs_order ON pairs (question_id, "order");

CREATE INDEX ix_passages_exam_id ON passages (exam_id);

CREATE INDEX ix_playback_tokens_content_id_playback_tokens_id ON playback_tokens (content_id, id);

CREATE INDEX ix_post_batches_batch_id ON post_batches (batch_id);

CREATE INDEX ix_post_products_product_id ON post_products (product_id);

CREATE INDEX ix_posts_category_id ON posts (category_id);

CREATE INDEX ix_posts_created_by_id ON posts (created_by_id);

CREATE INDEX ix_posts_published_date_posts_id ON posts (published_date, id);

CREATE INDEX ix_product_members_user_id ON product_members (user_id);

CREATE INDEX ix_questions_section_id ON questions (section_id);

CREATE INDEX ix_report_cards_user_id ON report_cards (user_id);

CREATE INDEX ix_report_groups_report_card_id_report_groups_order ON report_groups (report_card_id, "order");

CREATE INDEX ix_sign_in_levels_counted ON sign_in_levels (counted);

CREATE INDEX ix_text_keys_question_id ON text_keys (question_id);

CREATE INDEX ix_users_email ON users (email);

CREATE UNIQUE INDEX ix_users_name_key ON users (name_key);

CREATE UNIQUE INDEX uq_attempts_running ON attempts (exam_id, user_id) WHERE state = 'Running';
