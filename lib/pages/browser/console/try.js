// Asks one or two models, turn by turn. Neither the browser nor the gateway stores prompts or answers.
import './copy.js'
import { Answer } from './try-answer.js'
import { LANGUAGES } from './try-code.js'
import { bodyOf, Conversation } from './try-request.js'

const form = document.querySelector('#try')
const { account, model, other, prompt, system, temperature, max_tokens: maxTokens, effort } = form.elements
const [ask, stop, restart] = ['ask', 'stop', 'restart'].map(name => document.querySelector(`#${name}`))
const turns = document.querySelector('#turns')
const status = document.querySelector('#status')
/** By id of the model: `reasons`, and `price` in cents per million tokens if it has one. */
const models = JSON.parse(form.dataset.models)
const conversation = new Conversation()
/** The last request of the first column. The code is that of this request until another prompt is entered. */
let sent = null

function bodyFor(id, column) {
  const settings = {
    system: system.value.trim(),
    temperature: temperature.value,
    maxTokens: maxTokens.value,
    effort: effort?.value ?? '',
  }
  const messages = [...conversation.messages(column), { role: 'user', content: prompt.value }]
  return bodyOf({ model: id, canReason: models[id]?.reasons === true, settings, messages })
}

/** Shows the request that the button sends. */
function showCode() {
  const body = prompt.value === '' && sent !== null ? sent : bodyFor(model.value, 0)
  for (const [language, codeOf] of Object.entries(LANGUAGES))
    document.querySelector(`#code-${language} code`).textContent = codeOf(form.dataset.origin, body)
}

function addTurn(answers) {
  const turn = document.querySelector('#turn-template').content.firstElementChild.cloneNode(true)
  turn.querySelector('.asked').textContent = prompt.value
  turn.querySelector('.answers').append(...answers.map(({ element }) => element))
  turns.append(turn)
}

function setAsking(isAsking) {
  ask.disabled = isAsking
  stop.disabled = !isAsking
  restart.disabled = isAsking || turns.childElementCount === 0
}

async function askAll() {
  const abort = new AbortController()
  stop.onclick = () => abort.abort()
  const url = `/console/try/chat/completions?account=${encodeURIComponent(account.value)}`
  const headers = { 'content-type': 'application/json', 'x-csrf-token': form.elements.csrf_token.value }
  const bodies = [model.value, other.value].filter(id => id !== '').map(bodyFor)
  const answers = bodies.map(body => new Answer(body.model))
  sent = bodies[0]
  addTurn(answers)
  setAsking(true)
  status.textContent = 'Asking …'
  await Promise.all(
    answers.map((answer, column) => {
      const init = { method: 'POST', headers, body: JSON.stringify(bodies[column]), signal: abort.signal }
      return answer.ask(url, init, { price: models[bodies[column].model]?.price, currency: form.dataset.currency })
    }),
  )
  const texts = answers.map(({ text }) => text)
  conversation.add(prompt.value, texts)
  // A prompt that has no answer can be sent again.
  if (texts.some(text => text !== '')) prompt.value = ''
  status.textContent = abort.signal.aborted ? 'Stopped.' : 'Done.'
  setAsking(false)
  showCode()
}

form.addEventListener('input', showCode)
form.addEventListener('submit', event => {
  event.preventDefault()
  askAll()
})
prompt.addEventListener('keydown', event => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !ask.disabled) form.requestSubmit()
})
restart.addEventListener('click', () => {
  conversation.clear()
  turns.replaceChildren()
  sent = null
  status.textContent = 'A new conversation.'
  setAsking(false)
  showCode()
  prompt.focus()
})
for (const code of document.querySelectorAll('[id^="code-"]')) code.hidden = false
setAsking(false)
showCode()
