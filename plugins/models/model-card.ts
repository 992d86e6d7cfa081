import { backendOptions, type JsonObject, type ModelConfig } from '../../lib/plugin.ts'

/** A model as clients see it (docs/api/models.md#model-card). `service` stands for the configured brand. */
export function modelCard(model: ModelConfig, brand: string): JsonObject {
  const { vision, tools, reasoning, reasoning_effort, chat_completions, messages, responses, zdr } = model.capabilities
  const zdrSupported = backendOptions(model).some(backend => backend.zdr)
  return {
    id: model.id,
    object: 'model',
    created: model.created,
    owned_by: model.owned_by,
    ...(model.max_model_len === undefined ? null : { max_model_len: model.max_model_len }),
    zdr_supported: zdrSupported,
    [brand]: {
      kind: model.kind,
      capabilities: {
        vision,
        tools,
        reasoning: reasoning !== false,
        reasoning_effort: { default: reasoning_effort.default ?? null },
        chat_completions: { ...chat_completions },
        messages: { ...messages },
        responses: { ...responses },
        zdr: { ...zdr },
      },
      ...(model.pricing === undefined ? null : { pricing: { ...model.pricing } }),
    },
  }
}
