"""Draw LaTeX and MathML in cells: in two dimensions, on one line, as source or in words."""
