import { Refusal } from '#src/core/errors.ts'
import { html } from '#src/core/html/html.ts'
import type { Caller } from '#src/core/admission/caller.ts'
import type { FilesField, Leave, Screen, View, Visitor } from '#src/core/html/view.ts'
import type { Upload } from '#src/core/input/upload.ts'
import { anonymousBytesAtMost } from '#src/core/operation-facts.ts'
import { isSignedOut, type Terms } from '../ask.ts'
import { sayingOf } from '../fields.ts'
import { lookingAt, type Looking } from './reader.ts'
import { framed, type ConsoleView } from './frame.ts'
import { comeBack, typedIn } from './come-back.ts'

/** A page of the console at one path. */
export interface ConsoleScreen {
  /** Its own path, to which a person who signs in comes back. */
  here: string
  /** @param typed what was typed into its form before the session ended */
  show: (
    query: URLSearchParams,
    looking: Looking,
    typed?: URLSearchParams,
  ) => Promise<ConsoleView | Leave>
  submit?: (
    form: URLSearchParams,
    looking: Looking,
    files: readonly Upload[],
  ) => Promise<ConsoleView | Leave>
  formBytesAtMost?: number
  files?: FilesField
  /** Whether its form is about the person, whichever account they have chosen. */
  isOfPerson?: boolean
}

/**
 * The page for the person who is signed in. Others sign in first, and come back with what they have typed; what is
 * not there, or not theirs, is told in the same words.
 */
export function consoleScreen(terms: Terms, page: ConsoleScreen): Screen {
  const { here, show, submit, formBytesAtMost = 0, files, isOfPerson } = page
  const shown = async (looking: Looking, view: Promise<ConsoleView | Leave>) => {
    const answer = await view.catch((cause: unknown) => refusedView(cause))
    return 'main' in answer ? framed(looking, answer) : answer
  }
  return {
    ...(formBytesAtMost > 0 && { formBytesAtMost }),
    ...(files && { files }),
    ...((files || formBytesAtMost > anonymousBytesAtMost) && {
      sender: (visitor) => senderOf(terms, visitor),
    }),
    async show(query, visitor): Promise<View | Leave> {
      const looking = await lookingAt(terms, visitor)
      const path = query.size === 0 ? here : `${here}?${query.toString()}`
      if (!looking) return { goTo: terms.paths.signInFor(path) }
      return shown(looking, show(query, looking))
    },
    ...(submit && {
      async submit(form, visitor, sent): Promise<View | Leave> {
        const looking = await lookingAt(terms, visitor)
        if (!looking) return comeBack(terms, here, form, visitor)
        const typed = typedIn(form)
        if (looking.isLost && !typed && !isOfPerson) return framed(looking, nothingDone)
        if (typed) return shown(looking, show(new URLSearchParams(), looking, typed))
        try {
          return await shown(looking, submit(form, looking, sent))
        } catch (cause) {
          if (!(cause instanceof Refusal && isSignedOut(cause))) throw cause
          return comeBack(terms, here, form, { ...visitor, session: undefined })
        }
      },
    }),
  }
}

/** Who is signed in; undefined where no one is any more. */
async function senderOf({ core }: Terms, { session }: Visitor): Promise<Caller | undefined> {
  if (!session) return undefined
  return core.identify(session).catch((cause: unknown) => {
    if (cause instanceof Refusal && isSignedOut(cause)) return undefined
    throw cause
  })
}

/** A form of an account that was lost meanwhile acts for no other one. */
const nothingDone: ConsoleView = {
  status: 409,
  title: 'Nothing was done',
  main: html`<p>The page that you sent was of the account that you are no member of any more.</p>`,
}

const notFound = 404

/** A refusal as a page. @throws the cause, if it is no refusal of this request */
function refusedView(cause: unknown): ConsoleView {
  if (!(cause instanceof Refusal) || isSignedOut(cause)) throw cause
  const isAbsent = cause.status === notFound || cause.code === 'forbidden'
  const title = isAbsent ? 'There is nothing here' : 'That did not work'
  const main = html`<p>
    ${isAbsent ? 'It is not there any more, or it is not of this account.' : sayingOf(cause)}
  </p>`
  const { retryAfterSeconds } = cause
  return {
    status: isAbsent ? notFound : cause.status,
    title,
    main,
    retryAfterSeconds,
  }
}
