"""The Alembic environment. The connection comes from `lms_tui.service.core.database.upgrade`."""

from alembic import context

from lms_tui.service.core.database.every_table import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,
    user_module_prefix="types.",
)
with context.begin_transaction():
    context.run_migrations()
