import { describe, expect, it } from 'vitest'
import { draftOf } from '#src/agents/imports/draft.ts'
import { newToken, type TokenPrefix } from '#src/core/ids.ts'
import { secondCard } from './samples.ts'

const prefixes: readonly TokenPrefix[] = ['ab', 'abs', 'cmn', 'act', 'lse', 'ort']

/** Files in which a credential stands, by where. */
const files: readonly [where: string, file: (token: string) => object][] = [
  ['a text of an agent', (token) => ({ name: 'Ada', bio: `My key is ${token}, keep it.` })],
  ['a prompt', (token) => ({ name: 'Ada', brain: { system_prompt_override: `Send ${token}.` } })],
  [
    'a task',
    (token) => ({ name: 'Ada', heart: { tasks: [{ name: 'T', prompt: `Use ${token}` }] } }),
  ],
  ['a member of no known name', (token) => ({ name: 'Ada', note: token })],
  ['metadata', (token) => ({ name: 'Ada', metadata: { deep: [{ a: `Bearer ${token}` }] } })],
  ['the name of a member', (token) => ({ name: 'Ada', extra: { [token]: 1 } })],
  [
    'a character card',
    (token) => ({
      ...secondCard,
      data: {
        ...secondCard.data,
        description: `Calls with ${token}`,
        extensions: { a: { b: token } },
      },
    }),
  ],
]

describe('a credential of this service in an imported file', () => {
  it.each(files)('is kept from %s, and the report says so', (_, file) => {
    for (const prefix of prefixes) {
      const token = newToken(prefix)
      const { input, more, report, warnings } = draftOf(Buffer.from(JSON.stringify(file(token))))
      const kept = JSON.stringify({ input, more, report, warnings })
      expect(kept, prefix).not.toContain(token)
      expect(JSON.stringify({ report, warnings }), prefix).toMatch(/credential|secret/i)
    }
  })
})
