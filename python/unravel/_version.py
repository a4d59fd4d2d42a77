"""The version of the package and of the whole project: CMakeLists.txt reads it here."""

__version__ = "0.1.0"
