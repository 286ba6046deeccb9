import { OutboundFailure } from '#src/ports/sender.ts'
import { statusWords } from '#src/core/text/address.ts'
import type { Desk } from './desk.ts'
import { shortened } from '#src/core/text/fence.ts'
import { readable } from './readable.ts'

const skillsAtMost = 8
const charactersAtMost = 16_000

/**
 * The texts at the agent's `custom_skill_urls`, each between the marks of others' text. One that
 * cannot be had is an event of the run, and nothing else.
 */
export async function skillTexts(desk: Desk): Promise<string[]> {
  const urls = (desk.character.brain?.custom_skill_urls ?? []).slice(0, skillsAtMost)
  const texts = await Promise.all(urls.map((url) => skillText(desk, url)))
  return texts.filter((text) => text !== undefined)
}

async function skillText(desk: Desk, url: string): Promise<string | undefined> {
  const { ports, signal } = desk.work
  try {
    const headers = { accept: 'text/markdown, text/plain;q=0.9, */*;q=0.1' }
    const answer = await ports.sender.send({ method: 'GET', url, headers, signal })
    if (answer.status >= 200 && answer.status <= 299) {
      const text = readable(answer.body, answer.headers['content-type'] ?? '').toWellFormed()
      return desk.fence.around(`skill ${url}`, shortened(text, charactersAtMost))
    }
    const reason = statusWords(answer.status)
    await desk.note('tools.unavailable', { name: url, reason })
  } catch (cause) {
    signal.throwIfAborted()
    if (!(cause instanceof OutboundFailure)) throw cause
    await desk.note('tools.unavailable', { name: url, reason: cause.message })
  }
  return undefined
}
