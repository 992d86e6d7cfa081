export { toUsageBody } from '../openai/usage.ts'
