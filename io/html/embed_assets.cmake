# Joins the scripts and the styles of the page and writes them, with their SHA-256, as a header:
# cmake -DASSETS=FOLDER -DSCRIPTS=a.js;... -DSTYLES=a.css;... -DOUTPUT=HEADER -P embed_assets.cmake
cmake_minimum_required(VERSION 3.25)
set(longest_literal 16000)  # characters; the standard asks a compiler for 65536

# The text as string literals, in pieces.
function(literals text result)
  string(LENGTH "${text}" length)
  set(pieces "")
  set(begin 0)
  while(begin LESS length)
    string(SUBSTRING "${text}" ${begin} ${longest_literal} piece)
    string(APPEND pieces "\n    R\"asset(${piece})asset\"")
    math(EXPR begin "${begin} + ${longest_literal}")
  endwhile()
  set(${result} "${pieces}" PARENT_SCOPE)
endfunction()

function(join_files result)
  set(joined "")
  foreach(name IN LISTS ARGN)
    file(READ "${ASSETS}/${name}" text)
    if(text MATCHES "\\)asset\"|</(script|style)")
      message(FATAL_ERROR "${name} holds a text that ends the element or the literal it is written into")
    endif()
    if(text MATCHES "[^\t\n -~]")
      message(FATAL_ERROR "${name} holds a character that is not ASCII; write it as an escape")
    endif()
    string(APPEND joined "${text}")
  endforeach()
  set(${result} "${joined}" PARENT_SCOPE)
endfunction()

# Every file of the folder is one of the two lists, or it would be missing on the page.
file(GLOB present RELATIVE "${ASSETS}" "${ASSETS}/*")
list(REMOVE_ITEM present ${SCRIPTS} ${STYLES})
if(present)
  message(FATAL_ERROR "not in the lists of io/html/assets.cmake: ${present}")
endif()

join_files(script ${SCRIPTS})
join_files(style ${STYLES})
set(script "\"use strict\";\n(() => {\n${script}})();\n")
string(SHA256 script_sha256 "${script}")
string(SHA256 style_sha256 "${style}")
literals("${script}" script_literals)
literals("${style}" style_literals)
file(CONFIGURE OUTPUT "${OUTPUT}" @ONLY CONTENT "// Written by io/html/embed_assets.cmake.
#pragma once
#include <string_view>
namespace dfsweep::html::assets {
inline constexpr std::string_view script_sha256 = \"@script_sha256@\";
inline constexpr std::string_view style_sha256 = \"@style_sha256@\";
inline constexpr std::string_view script =@script_literals@;
inline constexpr std::string_view style =@style_literals@;
}  // namespace dfsweep::html::assets
")
