import type { Refusal } from '#src/core/errors.ts'
import type { Part } from '#src/core/html/html.ts'
import type { Leave } from '#src/core/html/view.ts'
import { isSignedOut, type Told } from '#protocol/web/ask.ts'
import { sayingOf, waitOf, type Problems } from '#protocol/web/fields.ts'
import type { Looking } from '#protocol/web/console/reader.ts'
import type { ConsoleScreen } from '#protocol/web/console/screen.ts'
import { changeView, editView } from './edit-views.ts'
import { markOf, type EditField, type Standing, type Typed } from './form.ts'

/** What is edited, and how a change of it is saved. */
export interface Edit {
  here: string
  /** Where a person goes on once it is saved. */
  done: string
  /** What saving it does not bring back, or by what it is brought back. */
  note?: Part
  read: (looking: Looking) => Promise<Standing>
  /** @param changed the new texts by the names of their fields */
  save: (
    looking: Looking,
    changed: ReadonlyMap<string, string>,
    expected: number,
  ) => Promise<Told<unknown> | { problems: Problems }>
}

/** For a prompt of 40,000 characters, each of which may take 9 bytes, and some shorter texts. */
const formBytesAtMost = 524_288

/**
 * A page on which something is edited: a form, then what it would change, then the change. What another changed
 * meanwhile is shown before anything is saved, and only what the person typed themselves is sent.
 */
export function editScreen({ here, done, note, read, save }: Edit): ConsoleScreen {
  const form = async (looking: Looking, typed?: Typed, problems: Problems = {}, status = 200) => {
    const standing = await read(looking)
    return standing.framed(looking, editView({ here, standing, typed, problems }), status)
  }
  const change = async (looking: Looking, typed: Typed, isLate = false) => {
    const standing = await read(looking)
    const touched = touchedIn(standing, typed)
    if (touched.length === 0) {
      const problems = { '': 'Nothing is changed yet.' }
      return standing.framed(looking, editView({ here, standing, typed, problems }), 422)
    }
    const main = changeView({ here, standing, typed, touched, note, isLate })
    return standing.framed(looking, main, isLate ? 409 : 200)
  }
  const saved = async (looking: Looking, typed: Typed, expected: number) => {
    const standing = await read(looking)
    const touched = touchedIn(standing, typed)
    if (touched.length === 0) return change(looking, typed)
    const changed = new Map(touched.map(({ name }) => [name, typed.values.get(name) ?? '']))
    const answer = await save(looking, changed, expected)
    if ('problems' in answer) return form(looking, typed, answer.problems, 422)
    const { refusal } = answer
    if (!refusal) return { goTo: done } satisfies Leave
    if (refusal.code === 'revision_mismatch') return change(looking, typed, true)
    if (isSignedOut(refusal) || refusal.status === 404) throw refusal
    const view = await form(looking, typed, problemsOf(refusal, standing.fields), refusal.status)
    return { ...view, ...waitOf(refusal) }
  }
  return {
    here,
    formBytesAtMost,
    async show(query, looking, typed) {
      if (typed) return form(looking, typedIn(typed))
      const standing = await read(looking)
      const shown = { here, standing, problems: {}, isSaved: query.has('done') }
      return standing.framed(looking, editView(shown), 200)
    },
    submit(sent, looking) {
      const typed = typedIn(sent)
      const action = sent.get('action')
      if (action === 'save') return saved(looking, typed, Number(sent.get('revision')))
      return action === 'look' ? change(looking, typed) : form(looking, typed)
    },
  }
}

const before = 'was.'

function typedIn(form: URLSearchParams): Typed {
  const all = [...form].map(([name, text]) => [name, text.replaceAll('\r\n', '\n')] as const)
  return {
    values: new Map(all.filter(([name]) => !name.startsWith(before))),
    was: new Map(
      all.flatMap(([name, mark]) =>
        name.startsWith(before) ? [[name.slice(before.length), mark]] : [],
      ),
    ),
  }
}

/** What the person has typed that is not as it was when they began, and not as it stands. */
function touchedIn({ fields }: Standing, { values, was }: Typed): EditField[] {
  return fields.filter(({ name, value }) => {
    const text = values.get(name)
    return text !== undefined && text !== value && markOf(text) !== was.get(name)
  })
}

function problemsOf(refusal: Refusal, fields: readonly EditField[]): Problems {
  const problems: Record<string, string> = {}
  for (const { pointer, message } of refusal.errors ?? []) {
    const named = fields.find(({ pointers }) => pointers.some((one) => pointer.startsWith(one)))
    problems[named?.name ?? ''] ??= message
  }
  return Object.keys(problems).length > 0 ? problems : { '': sayingOf(refusal) }
}
