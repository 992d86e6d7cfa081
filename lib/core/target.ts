import type { ModelConfig } from '../config/config.ts'

/** Where an exchange goes: the model, and the part of its backends that may serve it. */
export interface Target {
  readonly model: ModelConfig
  /** Only backends with zero data retention. */
  readonly zdr: boolean
  /** Models that a refusal may point to: those the client may use here. */
  alternatives(): readonly ModelConfig[]
}
