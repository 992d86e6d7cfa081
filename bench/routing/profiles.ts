import { type EngineSpeed, H100_8B } from '../../simulator/engine-speed.ts'

/** An engine, and what its operator configures for the router. */
export interface Profile {
  readonly speed: EngineSpeed
  /** `routing.attention_tokens` of the backends; undefined: the default. */
  readonly attentionTokens: number | undefined
}

/** Engines by name. Times are milliseconds. */
export const PROFILES = {
  /** A model of 8 billion parameters in bf16 on an H100. */
  'h100-8b': { speed: H100_8B, attentionTokens: undefined },
  /**
   * A quarter of an H200, as measured with a Llama of 3.7 billion parameters: 15 ms for a step without prefill, 67 ms
   * for a chunk at the start of a prompt.
   */
  'h200-quarter': {
    speed: {
      overheadMs: 9,
      weightsMs: 6,
      tokenMs: 0.057,
      pairMs: 3.17e-6,
      kvMs: 2e-4,
      stepTokens: 1024,
      batch: 256,
      blockTokens: 32,
      cacheTokens: 200_000,
    },
    attentionTokens: undefined,
  },
  /** A model of 32 billion parameters on two H100. */
  '32b-2xh100': {
    speed: {
      overheadMs: 1.5,
      weightsMs: 12.6,
      tokenMs: 0.0404,
      pairMs: 2e-6,
      kvMs: 5e-5,
      stepTokens: 8192,
      batch: 256,
      blockTokens: 128,
      cacheTokens: 307_000,
    },
    attentionTokens: undefined,
  },
  /** A model with sparse attention and a compressed KV cache on eight B200. Attention doubles a token at 325,000. */
  'mla-8xb200': {
    speed: {
      overheadMs: 2,
      weightsMs: 13,
      tokenMs: 0.039,
      pairMs: 1.2e-7,
      kvMs: 7e-6,
      stepTokens: 32_768,
      batch: 256,
      blockTokens: 128,
      cacheTokens: 2_600_000,
    },
    attentionTokens: 325_000,
  },
} as const satisfies Readonly<Record<string, Profile>>

export type ProfileName = keyof typeof PROFILES
