import type { JsonObject } from '../../base/json.ts'

/** Description and parameters of a tool whose type only the vendor's own models know. */
interface VendorTool {
  readonly description: string
  readonly parameters: JsonObject
}

const text = (description: string): JsonObject => ({ type: 'string', description })
const whole = (description: string): JsonObject => ({ type: 'integer', description })
const pair = (description: string): JsonObject => ({ type: 'array', items: { type: 'integer' }, description })

function tool(description: string, properties: JsonObject, required: string[]): VendorTool {
  return { description, parameters: { type: 'object', properties, required } }
}

/** By prefix of the type, as in `web_search_20250305`. The parameters are those that the executing client reads. */
const TOOLS: readonly (readonly [prefix: string, tool: VendorTool])[] = [
  ['web_search', tool('Searches the web.', { query: text('What to search for.') }, ['query'])],
  ['web_fetch', tool('Fetches a page of the web.', { url: text('The address of the page.') }, ['url'])],
  [
    'bash',
    tool(
      'Runs a command in a bash session that keeps its state.',
      { command: text('The command to run.'), restart: { type: 'boolean', description: 'Starts a new session.' } },
      [],
    ),
  ],
  [
    'text_editor',
    tool(
      'Views and edits text files.',
      {
        command: { type: 'string', enum: ['view', 'create', 'str_replace', 'insert'], description: 'What to do.' },
        path: text('The file or directory.'),
        view_range: pair('view: first and last line; -1 for the end.'),
        file_text: text('create: the content of the file.'),
        old_str: text('str_replace: the text to replace; it must stand in the file exactly once.'),
        new_str: text('str_replace: what stands there afterwards.'),
        insert_line: whole('insert: the line after which the text goes; 0 for the beginning.'),
        insert_text: text('insert: the text.'),
      },
      ['command', 'path'],
    ),
  ],
  [
    'computer',
    tool(
      'Uses the mouse, keyboard and screen of a computer.',
      {
        action: text(
          'One of screenshot, left_click, right_click, middle_click, double_click, triple_click, mouse_move, left_click_drag, key, type, scroll, wait, cursor_position.',
        ),
        coordinate: pair('x and y in pixels, from the top left corner.'),
        start_coordinate: pair('left_click_drag: where it starts.'),
        text: text('type: the text. key: the keys, such as ctrl+s.'),
        scroll_direction: { type: 'string', enum: ['up', 'down', 'left', 'right'], description: 'scroll: where to.' },
        scroll_amount: whole('scroll: how far.'),
        duration: { type: 'number', description: 'wait: seconds.' },
      },
      ['action'],
    ),
  ],
  [
    'memory',
    tool(
      'Reads and writes files that outlast the conversation.',
      {
        command: {
          type: 'string',
          enum: ['view', 'create', 'str_replace', 'insert', 'delete', 'rename'],
          description: 'What to do.',
        },
        path: text('The file or directory below /memories.'),
        view_range: pair('view: first and last line.'),
        file_text: text('create: the content of the file.'),
        old_str: text('str_replace: the text to replace.'),
        new_str: text('str_replace: what stands there afterwards.'),
        insert_line: whole('insert: the line after which the text goes.'),
        insert_text: text('insert: the text.'),
        old_path: text('rename: the present path.'),
        new_path: text('rename: the new path.'),
      },
      ['command'],
    ),
  ],
  ['code_execution', tool('Runs code.', { code: text('The code to run.') }, ['code'])],
  ['tool_search', tool('Searches for tools.', { query: text('What the tool should do.') }, ['query'])],
]

/** A tool of an unknown type, which accepts any input. */
const UNKNOWN: VendorTool = tool('A tool that the client executes.', {}, [])

/** A copy of the vendor's tool of this type, which plugins may change. A tool of an unknown type accepts any input. */
export function vendorTool(type: string): VendorTool {
  return structuredClone(TOOLS.find(([prefix]) => type.startsWith(prefix))?.[1] ?? UNKNOWN)
}
