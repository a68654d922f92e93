# The Debian package: cmake --build BUILD --target package, or cpack --config BUILD/CPackConfig.cmake -G DEB -B FOLDER.
set(DFSWEEP_PACKAGE_CONTACT "The dfsweep developers" CACHE STRING "Maintainer of the Debian package: Name <address>")
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME dfsweep)
set(CPACK_PACKAGE_CONTACT "${DFSWEEP_PACKAGE_CONTACT}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DESCRIPTION "dfsweep evaluates design spaces of large AI and HPC systems: models, devices, memories, networks,
parallelism and hyperparameters. One TOML file describes the sweep; one core or many MPI ranks evaluate it into one HDF5 file.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_RESOURCE_FILE_README ${PROJECT_SOURCE_DIR}/README.md)
set(CPACK_STRIP_FILES ON)
# Pages name installed paths, so they are installed under the final prefix and moved by DESTDIR.
set(CPACK_SET_DESTDIR ON)
set(CPACK_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "openmpi-bin")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "python3-h5py, python3-pandas, python3-xarray, slurm-wlm")
file(WRITE ${PROJECT_BINARY_DIR}/generated/copyright "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: dfsweep

Files: *
Copyright: The dfsweep developers
License: Apache-2.0
 The text of the Apache License, version 2.0, is in LICENSE beside this file, on Debian also in
 /usr/share/common-licenses/Apache-2.0. Entries of the catalogue name the sources of their figures.
")
install(FILES ${PROJECT_BINARY_DIR}/generated/copyright DESTINATION ${CMAKE_INSTALL_DOCDIR})
include(CPack)
