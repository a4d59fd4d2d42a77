"""The version of the package: that of the project in CMakeLists.txt (a test compares them)."""

__version__ = "0.1.0"
