import { purgeRows, type Purge } from '#src/core/counts/purge.ts'
import type { Ports } from '#src/core/context.ts'
import { documentName } from '#src/core/told/touch.ts'
import { timestamp } from '#src/core/time.ts'

/** The type of the events of a run that hold text of its model. */
export const textEventType = 'model.text'

/** A part of what a model writes in a run. */
export interface ModelText {
  /** The number of the answer that it belongs to; a later one has a larger number. */
  answer: number
  step: number
  /** How many characters of the answer come before it. */
  at: number
  text: string
}

/**
 * What a model has written in a run and no event has yet, without secrets. It is there, and overwritten, while someone
 * follows the text of the run: all that comes before it is in events.
 */
export interface RunText extends ModelText {
  /** Of the run. */
  id: string
  /** Until when someone follows it, RFC 3339. */
  until: string
}

/** The name under which readers of the text of a run are told. */
export function textName(runId: string): string {
  return documentName('run_texts', runId)
}

/**
 * Shows those who follow the text of a run what its model is writing; false if there are none.
 * @param text called only if there are; undefined if they have seen all of it
 */
export type Show = (text: () => ModelText | undefined) => Promise<boolean>

/** How the text of a run is shown. */
export function shownBy(
  { store, clock, waiting }: Pick<Ports, 'store' | 'clock' | 'waiting'>,
  runId: string,
): Show {
  return async (text) => {
    const followed = { id: runId, until: { $gt: timestamp(clock.now()) } }
    const readers = await store.run_texts.pick(['id'], followed, { limit: 1 })
    if (readers.length === 0) return false
    const shown = text()
    if (!shown) return true
    const { answer, step, at, text: written } = shown
    const change = { $set: { answer, step, at, text: written } }
    const isShown = await store.run_texts.update(followed, change, { lazy: true })
    waiting.tell(textName(runId))
    return isShown !== undefined
  }
}

/** Texts that no one follows any more. */
export const purgeTexts: Purge = ({ store }, now) =>
  purgeRows(store.run_texts, { until: { $lte: timestamp(now) } })
