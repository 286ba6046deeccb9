import { loopName, touch } from '#src/core/told/touch.ts'

/** What agents are to read, or to forget. */
export const knowledgeTouches = [
  touch({
    in: 'knowledge_items',
    names: (_, how) => (how === 'inserted' || how === 'replaced' ? [loopName('knowledge')] : []),
  }),
  touch({
    in: 'knowledge_remains',
    names: (_, how) => (how === 'inserted' ? [loopName('knowledge')] : []),
  }),
]
