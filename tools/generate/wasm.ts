import wabt from 'wabt'

/** The binary form of a module in WebAssembly's text format. Throws what is wrong with it. `name`: for the message. */
export async function assembled(name: string, text: string): Promise<Buffer> {
  const module = (await wabt()).parseWat(name, text, { simd: true })
  module.validate()
  return Buffer.from(module.toBinary({}).buffer)
}
