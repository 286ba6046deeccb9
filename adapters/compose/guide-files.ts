import { readFile } from 'node:fs/promises'

const folder = new URL('../../docs/guides/', import.meta.url)

/** The guide of this name, as stored in the repository. @throws Error if there is none */
export function readGuide(name: string): Promise<string> {
  return readFile(new URL(`${name}.md`, folder), 'utf8')
}
