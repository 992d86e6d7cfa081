// One answer on the page: its reasoning, its text, and after its end its numbers or why it failed.
import { durationText, microcentsOf, moneyText, tokensText } from './try-cost.js'
import { Problem, readAnswer } from './try-stream.js'

const template = document.querySelector('#answer-template')

export class Answer {
  element = template.content.firstElementChild.cloneNode(true)
  #reasoning = this.element.querySelector('.reasoning')
  #thoughts = this.element.querySelector('.thoughts')
  #text = this.element.querySelector('.text')
  #outcome = this.element.querySelector('.outcome')
  #firstMs = null
  #started = 0

  constructor(model) {
    this.element.querySelector('h2').textContent = model
    this.#outcome.textContent = 'Waiting for the first token …'
  }

  get text() {
    return this.#text.textContent
  }

  /** Sends the request, and shows the reply while it arrives. `price`: of the model; undefined: it has none. */
  async ask(url, init, { price, currency }) {
    this.#started = performance.now()
    try {
      const response = await fetch(url, init)
      const id = response.headers.get('x-request-id')
      const { usage, finish } = await readAnswer(response, {
        onText: text => this.#add(this.#text, text),
        onReasoning: text => {
          this.#reasoning.hidden = false
          this.#add(this.#thoughts, text)
        },
      })
      const cost = usage === null || price === undefined ? '' : ` ${moneyText(microcentsOf(price, usage), currency)}.`
      const cut = finish === 'length' ? ' It ends at the limit of tokens.' : ''
      const tokens = usage === null ? '' : ` ${tokensText(usage)}.`
      this.#outcome.textContent = `Answered in ${this.#elapsed()}${this.#firstText()}.${cut}${tokens}${cost} Request `
      this.#outcome.append(linkTo(`/console/requests/${encodeURIComponent(id)}`, id))
    } catch (problem) {
      this.#fail(problem)
    }
  }

  #elapsed() {
    return durationText(performance.now() - this.#started)
  }

  #firstText() {
    return this.#firstMs === null ? '' : `, first token after ${durationText(this.#firstMs)}`
  }

  #add(element, text) {
    if (this.#firstMs === null) {
      this.#firstMs = performance.now() - this.#started
      this.#outcome.textContent = `Answering, first token after ${durationText(this.#firstMs)} …`
    }
    element.append(text)
  }

  #fail(problem) {
    if (problem.name === 'AbortError') {
      this.#outcome.textContent = `Stopped after ${this.#elapsed()}.`
      return
    }
    const { message, code, page } =
      problem instanceof Problem ? problem : new Problem({ message: 'The connection broke: ask again.' })
    const text = document.createElement('span')
    text.className = 'error'
    text.textContent = message
    this.#outcome.replaceChildren(text)
    if (!page) return
    const { pathname } = new URL(page)
    const link = linkTo(pathname.startsWith('/docs/errors/') ? pathname : page, 'What to do')
    link.title = code
    this.#outcome.append(' ', link)
  }
}

function linkTo(href, text) {
  const link = document.createElement('a')
  link.href = href
  link.textContent = text
  return link
}
