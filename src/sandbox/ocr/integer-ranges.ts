import type { Ranges } from '../onnx/integer-chain.ts';

/** By the SHA-256 of a model's file. Written by `npx tsx scripts/calibrate-ocr.ts`, not by hand. */
export const integerRanges: Readonly<Record<string, Ranges>> = {
  '4fd81948e80f385afc2a9410a51904b70b6ff6dae9e26c2fc54c4bc52d4124d6': {
    'batch_norm_7.tmp_4': [-0.375, 21.48],
    'batch_norm_9.tmp_4': [-0.375, 13.25],
    'batch_norm_11.tmp_4': [-0.375, 12.77],
    'p2o.Mul.1': [-0.37, 11.89],
    'p2o.Mul.3': [-0.3738, 9.924],
    'batch_norm_12.tmp_3': [-10.71, 10.81],
    'batch_norm_12.tmp_4': [-0.375, 10.81],
    'batch_norm_13.tmp_3': [-16.23, 9.632],
    'batch_norm_13.tmp_4': [-0.375, 9.632],
    'batch_norm_14.tmp_3': [-11.61, 8.669],
    'batch_norm_14.tmp_4': [-0.375, 8.669],
    'batch_norm_15.tmp_3': [-13.57, 11.37],
    'batch_norm_15.tmp_4': [-0.375, 11.37],
    'batch_norm_16.tmp_3': [-7.695, 9.763],
    'batch_norm_16.tmp_4': [-0.375, 9.763],
    'batch_norm_17.tmp_3': [-9.261, 16.13],
    'batch_norm_17.tmp_4': [-0.375, 16.13],
    'batch_norm_18.tmp_3': [-7.725, 8.983],
    'batch_norm_18.tmp_4': [-0.375, 8.983],
    'batch_norm_19.tmp_3': [-10.64, 13.66],
    'batch_norm_19.tmp_4': [-0.375, 13.66],
    'batch_norm_20.tmp_3': [-8.347, 9.891],
    'batch_norm_20.tmp_4': [-0.375, 9.891],
    'batch_norm_21.tmp_3': [-12.23, 15.05],
    'batch_norm_21.tmp_4': [-0.375, 15.05],
  },
};
