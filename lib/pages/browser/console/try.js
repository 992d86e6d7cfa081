// Sends the form to a model and shows the answer while it arrives. Neither the browser nor the gateway stores them.
import './copy.js'

const form = document.querySelector('#try')
const [ask, stop] = [form.querySelector('button.main'), document.querySelector('#stop')]
const [answer, facts] = [document.querySelector('#answer'), document.querySelector('#facts')]
const command = document.querySelector('[data-copy]')

function body() {
  const { model, prompt } = form.elements
  return JSON.stringify({ model: model.value, messages: [{ role: 'user', content: prompt.value }], stream: true })
}

function showCommand() {
  const quoted = body().replaceAll("'", "'\\''")
  const url = `${form.dataset.origin}/v1/chat/completions`
  command.textContent = `curl -N '${url}' -H "authorization: Bearer $API_KEY" -H 'content-type: application/json' -d '${quoted}'`
}

/** The data of each event of a stream. */
async function* eventsOf(stream) {
  let rest = ''
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n')
    rest = lines.pop()
    for (const line of lines) if (line.startsWith('data: ')) yield line.slice('data: '.length)
  }
}

/** Shows a failure, and a link to its documentation if it has one. */
function showProblem({ message, docs_url: page }) {
  const text = document.createElement('span')
  text.className = 'error'
  text.textContent = message
  facts.replaceChildren(text)
  if (!page) return
  const link = document.createElement('a')
  link.href = new URL(page).pathname.startsWith('/docs/errors/') ? new URL(page).pathname : page
  link.textContent = 'What to do'
  facts.append(' ', link)
}

async function readAnswer(response) {
  let thought = false
  for await (const event of eventsOf(response.body)) {
    if (event === '[DONE]') return
    const { choices = [], error } = JSON.parse(event)
    if (error) return showProblem(error)
    const delta = choices[0]?.delta ?? {}
    if (delta.content) answer.append(delta.content)
    else if (!thought && (delta.reasoning_content || delta.reasoning)) {
      thought = true
      facts.textContent = 'The model is thinking …'
    }
  }
}

async function send(signal) {
  const started = performance.now()
  const headers = { 'content-type': 'application/json', 'x-csrf-token': form.elements.csrf_token.value }
  const url = `/console/try/chat/completions?account=${encodeURIComponent(form.elements.account.value)}`
  const response = await fetch(url, { method: 'POST', headers, body: body(), signal })
  const id = response.headers.get('x-request-id')
  if (!response.ok) return showProblem((await response.json()).error)
  await readAnswer(response)
  if (facts.querySelector('.error')) return
  const link = document.createElement('a')
  link.href = `/console/requests/${encodeURIComponent(id)}`
  link.textContent = id
  facts.replaceChildren(`Answered in ${((performance.now() - started) / 1000).toFixed(1)} s: request `, link)
}

form.addEventListener('input', showCommand)
form.addEventListener('submit', async event => {
  event.preventDefault()
  const abort = new AbortController()
  stop.onclick = () => abort.abort()
  answer.replaceChildren()
  facts.textContent = 'Asking …'
  ask.disabled = true
  stop.disabled = false
  try {
    await send(abort.signal)
  } catch (problem) {
    if (problem.name === 'AbortError') facts.textContent = 'Stopped.'
    else showProblem({ message: 'The connection broke: ask again.' })
  }
  ask.disabled = false
  stop.disabled = true
})
ask.disabled = false
showCommand()
