"""Read sheets of questions: xlsx, ods, xls and csv. The worker imports nothing else of this package."""
