/* SPDX-License-Identifier: MIT */
/* Networks of other programs: ONNX files become models of filters/parts/network/network.h.
 *
 * protobuf-c, which parses them, is in a part of its own, runnel-onnx.so. Like all that reads what
 * may be hostile, it runs in a child (io/process/child.h), which is given the file in memory, gives
 * up its rights, and answers with a model or with what it does not understand. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "filters/base/output/textfile.h"

#define RN_ONNX_WORD   "onnx-worker" /* argv[1] of a worker */
#define RN_ONNX_MODULE "runnel-onnx.so"

/* The first byte of an answer: a model, or a text, is behind it. */
enum rn_onnx_answer { RN_ONNX_MODEL = 'M', RN_ONNX_WHY = 'W' };

/* Takes an ONNX file for a model (filters/core/chain/import.h); what is none stays. */
int rn_onnx_import(char **contents, size_t *size, char why[RN_TEXT_WHY]);

/* Writes the model that an ONNX file of size bytes makes. Convolutions of odd sizes with what
 * follows them: batch normalisation (folded), ReLU, leaky ReLU, PReLU, clipping, the sum with
 * another layer; at the end the sum with, or the difference to, the picture, the doubling of the
 * size by depth to space or by a transposed convolution. Returns false with why, and f holds
 * nothing of use then. */
bool rn_onnx_convert(const uint8_t *data, size_t size, FILE *f, char why[RN_TEXT_WHY]);

/* The main function of a worker: runnel-onnx.so. Returns the exit status. */
int rn_onnx_worker_main(int argc, char **argv);
