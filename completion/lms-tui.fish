lms-tui completion fish | source
