export { toClientParam, toErrorBody } from '../openai/errors.ts'
