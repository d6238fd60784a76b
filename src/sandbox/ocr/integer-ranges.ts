import type { Ranges } from '../onnx/integer-chain.ts';

/** By the SHA-256 of a model's file. Written by `npx tsx scripts/calibrate-ocr.ts`, not by hand. */
export const integerRanges: Readonly<Record<string, Ranges>> = {
  '4fd81948e80f385afc2a9410a51904b70b6ff6dae9e26c2fc54c4bc52d4124d6': {
    'batch_norm_7.tmp_4': [-0.375, 16.02],
    'batch_norm_9.tmp_4': [-0.375, 10.73],
    'batch_norm_11.tmp_4': [-0.375, 9.611],
    'batch_norm_12.tmp_3': [-10.56, 10.66],
    'batch_norm_12.tmp_4': [-0.375, 10.66],
    'batch_norm_13.tmp_3': [-16.23, 9.546],
    'batch_norm_13.tmp_4': [-0.375, 9.546],
    'batch_norm_14.tmp_3': [-11.8, 8.653],
    'batch_norm_14.tmp_4': [-0.375, 8.653],
    'batch_norm_15.tmp_3': [-13.12, 11.75],
    'batch_norm_15.tmp_4': [-0.375, 11.75],
    'batch_norm_16.tmp_3': [-6.918, 8.563],
    'batch_norm_16.tmp_4': [-0.375, 9.758],
    'batch_norm_17.tmp_3': [-9.203, 16.14],
    'batch_norm_17.tmp_4': [-0.375, 16.14],
    'batch_norm_18.tmp_3': [-7.817, 8.758],
    'batch_norm_18.tmp_4': [-0.375, 8.758],
    'batch_norm_19.tmp_3': [-10.6, 13.51],
    'batch_norm_19.tmp_4': [-0.375, 13.51],
    'batch_norm_20.tmp_3': [-8.356, 9.987],
    'batch_norm_20.tmp_4': [-0.375, 9.987],
    'batch_norm_21.tmp_3': [-11.85, 15.82],
    'batch_norm_21.tmp_4': [-0.375, 15.82],
    'p2o.Mul.1': [-0.3269, 8.265],
    'p2o.Mul.3': [-0.3574, 5.655],
  },
};
