// The bodies of requests. A conversation is kept only in the memory of the page.

/** The turns so far. Each has a prompt, and the answer of each column; empty: there was none. */
export class Conversation {
  #turns = []

  /** A turn without any answer would leave two prompts in a row. */
  add(prompt, answers) {
    if (answers.some(text => text !== '')) this.#turns.push({ prompt, answers })
  }

  clear() {
    this.#turns = []
  }

  /** The messages of the turns as one column has them. Where it has no answer, that of another column counts. */
  messages(column) {
    return this.#turns.flatMap(({ prompt, answers }) => [
      { role: 'user', content: prompt },
      { role: 'assistant', content: answers[column] || answers.find(text => text !== '') },
    ])
  }
}

/** `settings`: `system`, `temperature`, `maxTokens` and `effort`, as entered; empty: not set. */
export function bodyOf({ model, canReason, settings, messages }) {
  const { system, temperature, maxTokens, effort } = settings
  return {
    model,
    messages: [...(system === '' ? [] : [{ role: 'system', content: system }]), ...messages],
    ...(temperature !== '' && { temperature: Number(temperature) }),
    ...(maxTokens !== '' && { max_tokens: Number(maxTokens) }),
    ...(effort !== '' && canReason && { reasoning_effort: effort }),
    stream: true,
  }
}
