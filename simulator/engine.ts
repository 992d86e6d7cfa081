import { llamaCpp } from './engine-llama-cpp.ts'
import { sglang } from './engine-sglang.ts'
import type { EngineTraits } from './engine-traits.ts'
import { vllm } from './engine-vllm.ts'
import type { SimulatedEngine } from './options.ts'

/** The traits of each engine, by its name in the options. */
export const TRAITS: Readonly<Record<SimulatedEngine, EngineTraits>> = { vllm, sglang, 'llama.cpp': llamaCpp }
