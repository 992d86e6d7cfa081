import { type Html, html, type OwnAccount } from '../../../lib/console.ts'
import type { ModelConfig } from '../../../lib/plugin.ts'
import { copied, curlOf } from '../first-call.ts'
import { selectField } from '../view.ts'
import { tokenField, type Visitor } from '../visitor.ts'

const PROMPT = 'Say hello in three languages.'

const EFFORTS = [
  ['', 'default of the model'],
  ['none', 'none'],
  ['low', 'low'],
  ['medium', 'medium'],
  ['high', 'high'],
] as const

interface TryPage {
  readonly visitor: Visitor
  /** Accounts whose models may be used; not empty. */
  readonly accounts: readonly OwnAccount[]
  /** The models that any of the accounts may use; not empty. */
  readonly models: readonly ModelConfig[]
  /** Where clients reach the gateway. */
  readonly origin: string
  readonly currency: string
}

/** `console/try.js` sends the form. Without scripts the page shows the command. */
export function tryPage({ visitor, accounts, models, origin, currency }: TryPage): Html {
  const options = models.map(({ id }) => [id, id] as const)
  const first = models[0]!.id
  const facts = Object.fromEntries(models.map(model => [model.id, factsOf(model)]))
  return html`<noscript><p class="note">Asking from this page needs script. The command below asks without it.</p></noscript>
<form id="try" data-origin="${origin}" data-currency="${currency}" data-models="${JSON.stringify(facts)}">${tokenField(visitor)}
<div class="fields">
${selectField(
  'account',
  'Account',
  accounts.map(({ id, name }) => [id, name]),
  accounts[0]!.id,
)}
${selectField('model', 'Model', options, first)}
${selectField('other', 'Compare with', [['', 'no other model'], ...options], '')}
</div>
<details><summary>System prompt and limits</summary>
<label for="system">System prompt</label>
<textarea id="system" name="system" rows="3"></textarea>
<div class="fields">
<p class="field"><label for="temperature">Temperature</label><input id="temperature" name="temperature" type="number" min="0" max="2" step="0.1" placeholder="default"></p>
<p class="field"><label for="max_tokens">Output tokens at most</label><input id="max_tokens" name="max_tokens" type="number" min="1" placeholder="no limit"></p>
${models.some(canReason) && selectField('effort', 'Reasoning', EFFORTS, '')}
</div></details>
<div id="turns" role="log" aria-label="Conversation"></div>
<label for="prompt">Prompt</label>
<textarea id="prompt" name="prompt" rows="4" required>${PROMPT}</textarea>
<p class="row"><button class="main" id="ask" disabled>Ask</button><button type="button" id="stop" disabled>Stop</button><button type="button" id="restart" disabled>Start again</button><span id="status" class="soft" role="status"></span></p>
</form>
<template id="turn-template"><section class="turn"><p class="asked"></p><div class="answers"></div></section></template>
<template id="answer-template"><article class="answer"><h2></h2>
<details class="reasoning" hidden><summary>Reasoning</summary><div class="thoughts"></div></details>
<div class="text"></div><p class="outcome"></p></article></template>
<h2>The same request in code</h2>
<p>Put the secret of a <a href="/console/keys">key</a> into the environment variable <code>API_KEY</code>.</p>
${codeBlock('curl', 'curl', curlOf({ origin, model: first }, PROMPT), true)}
${codeBlock('python', 'Python, package openai')}
${codeBlock('javascript', 'JavaScript, package openai')}
${codeBlock('anthropic', 'JavaScript, package @anthropic-ai/sdk')}
<p class="soft">What you ask here is served, limited and charged like any other request of the account. Neither prompts nor answers are kept: the conversation ends with this page. Costs are tokens at current prices.</p>`
}

/** Only one is open. The script fills in those without text. */
function codeBlock(id: string, name: string, text = '', isOpen = false): Html {
  return html`<details id="code-${id}" name="code"${isOpen && html` open`}${text === '' && html` hidden`}><summary>${name}</summary>
${copied(`the code for ${name}`, text)}</details>`
}

function canReason({ capabilities }: ModelConfig): boolean {
  return capabilities.reasoning !== false
}

/** What the script needs of a model. Prices are cents per million tokens. */
function factsOf(model: ModelConfig) {
  const { pricing } = model
  if (pricing === undefined) return { reasons: canReason(model) }
  const { input, cached_input, output } = pricing
  return { reasons: canReason(model), price: { input, cached_input, output } }
}
