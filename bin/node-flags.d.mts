export function nodeFlags(): string[]
