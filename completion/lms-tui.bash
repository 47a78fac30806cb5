eval "$(lms-tui completion bash)"
