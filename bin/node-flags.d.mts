export function nodeFlags(): string[]
export function nodeEnvironment(): Record<string, string>
