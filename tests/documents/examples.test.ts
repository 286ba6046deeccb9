import { describe, expect, it } from 'vitest'
import answers from '#src/documents/answers.json' with { type: 'json' }
import { catalog } from '#src/catalog.ts'
import { differences } from './examples/mask.ts'
import { isPaid, play, playUnpaid, unpaidName } from './examples/play.ts'

// What the recorder has written.
const kept = answers as Readonly<Record<string, unknown>>

describe('the examples of the documents', () => {
  it.each(catalog.map((op) => [op.name, op] as const))(
    '%s works as it stands, and answers as is shown',
    async (name, op) => {
      const { answer, shown, refusal } = await play(op)
      expect(refusal).toBeUndefined()
      expect(op.output.safeParse(answer).error?.issues).toBeUndefined()
      expect(op.output.safeParse(kept[name]).error?.issues, 'npm run examples').toBeUndefined()
      expect(differences(kept[name], shown), 'npm run examples').toEqual([])
    },
  )

  it.each(catalog.filter(isPaid).map((op) => [op.name, op] as const))(
    '%s asks to be paid as is shown',
    async (_, op) => {
      const { refusal, shown } = await playUnpaid(op)
      expect(refusal?.code).toBe('payment_required')
      expect(differences(kept[unpaidName(op)], shown), 'npm run examples').toEqual([])
    },
  )

  it('are of operations that there are, and hold nothing of the machine they were made on', () => {
    const known = [...catalog.map(({ name }) => name), ...catalog.filter(isPaid).map(unpaidName)]
    expect(Object.keys(kept).toSorted()).toEqual(known.toSorted())
    const text = JSON.stringify(kept)
    expect(text).not.toMatch(/127\.0\.0\.1|\/tmp\/|localhost/)
    for (const [token] of text.matchAll(/\b(?:ab|abs|cmn|act|lse|ort)_[0-9A-Za-z]{38}\b/g)) {
      expect(token).toMatch(/_0{38}$/)
    }
  })
})
