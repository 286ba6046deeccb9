import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

/** What is in the way of someone, and where. */
interface Violation {
  id: string
  help: string
  nodes: { target: unknown; html: string }[]
}

let source: Promise<string> | undefined

/**
 * What axe finds in a page, or in a frame of one, each as a line.
 * @param rules those that are asked; by default all
 */
export async function faultsOf(
  place: Pick<Page, 'evaluate'>,
  rules?: readonly string[],
): Promise<string[]> {
  source ??= readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
  if (!(await place.evaluate<boolean>(`'axe' in globalThis`))) await place.evaluate(await source)
  const options = JSON.stringify({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) })
  const found = await place.evaluate<Violation[]>(
    `axe.run(document, ${options}).then(({ violations }) => violations.map(({ id, help, nodes }) =>
      ({ id, help, nodes: nodes.map(({ target, html }) => ({ target, html })) })))`,
  )
  return found.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, html }) => `${id}: ${help}: ${String(target)} ${html.slice(0, 200)}`),
  )
}
