# cmake --install: the program, both libraries, the header, pkg-config and CMake package files, the man page and the
# completions (the program writes those from its own table of options), documents.
include(CMakePackageConfigHelpers)
# All that is installed, without tests and benchmarks: what ./run builds, so that `cmake --install` works after it.
add_custom_target(product DEPENDS roofline roofline_static roofline_shared)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/roofline)

install(TARGETS roofline RUNTIME)
install(TARGETS roofline_static roofline_shared EXPORT rooflineTargets
    ARCHIVE LIBRARY PUBLIC_HEADER DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT rooflineTargets NAMESPACE roofline:: DESTINATION ${package_dir})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/rooflineConfig.cmake.in ${PROJECT_BINARY_DIR}/rooflineConfig.cmake
    INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/rooflineConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/rooflineConfig.cmake ${PROJECT_BINARY_DIR}/rooflineConfigVersion.cmake
    DESTINATION ${package_dir})

# Paths in roofline.pc stay relative to ${prefix} unless the packager gave absolute ones.
foreach(folder LIBDIR INCLUDEDIR)
    if(IS_ABSOLUTE ${CMAKE_INSTALL_${folder}})
        set(ROOFLINE_PC_${folder} ${CMAKE_INSTALL_${folder}})
    else()
        set(ROOFLINE_PC_${folder} "\${prefix}/${CMAKE_INSTALL_${folder}}")
    endif()
endforeach()
list(TRANSFORM CMAKE_DL_LIBS PREPEND -l OUTPUT_VARIABLE ROOFLINE_PC_DL)
configure_file(${CMAKE_CURRENT_LIST_DIR}/roofline.pc.in ${PROJECT_BINARY_DIR}/roofline.pc.made @ONLY)
# The prefix is known only when installing: `cmake --install --prefix` may change it.
install(CODE "
    file(READ \"${PROJECT_BINARY_DIR}/roofline.pc.made\" text)
    string(REPLACE \"prefix=${CMAKE_INSTALL_PREFIX}\n\" \"prefix=\${CMAKE_INSTALL_PREFIX}\n\" text \"\${text}\")
    file(WRITE \"${PROJECT_BINARY_DIR}/roofline.pc\" \"\${text}\")")
install(FILES ${PROJECT_BINARY_DIR}/roofline.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# roofline_generated(what folder file): a page that `roofline --generate what` writes.
function(roofline_generated what folder file)
    set(output ${PROJECT_BINARY_DIR}/generated/${what}/${file})
    add_custom_command(OUTPUT ${output}
        COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/generated/${what}
        COMMAND roofline --generate ${what} > ${output}.part
        COMMAND ${CMAKE_COMMAND} -E rename ${output}.part ${output}
        DEPENDS roofline VERBATIM)
    add_custom_target(generate_${what} ALL DEPENDS ${output})
    add_dependencies(product generate_${what})
    install(FILES ${output} DESTINATION ${folder})
endfunction()
if(NOT CMAKE_CROSSCOMPILING)
    roofline_generated(man ${CMAKE_INSTALL_MANDIR}/man1 roofline.1)
    roofline_generated(bash ${CMAKE_INSTALL_DATADIR}/bash-completion/completions roofline)
    roofline_generated(zsh ${CMAKE_INSTALL_DATADIR}/zsh/site-functions _roofline)
    roofline_generated(fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d roofline.fish)
endif()

# As they lie in the repository, so that their links hold.
install(FILES README.md LICENSE CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
