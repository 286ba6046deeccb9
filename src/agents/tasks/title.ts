import type { StoredTask } from './task.ts'
import { hidden } from '#src/core/text/text.ts'

/**
 * What a buyer sees of a task, as one line: it appears in the wallets of others and on the page on
 * which they pay, so it must neither be long nor change the direction of the text around it.
 */
export function titleOf({ public_title, name }: Pick<Selling, 'public_title' | 'name'>): string {
  const line = (public_title ?? '').replaceAll(/\s/g, ' ').replaceAll(hiddenOnes, '')
  const title = line.replaceAll(/ +/g, ' ').trim()
  return Array.from(title).slice(0, titleAtMost).join('').trim() || name
}

/** The members of a task that its title is made from. */
export type Selling = Pick<
  StoredTask,
  'name' | 'public_title' | 'task_id' | 'price_cents' | 'payment_price_id'
>

const hiddenOnes = new RegExp(hidden.source, 'gv')

const titleAtMost = 200
