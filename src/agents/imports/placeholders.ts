const self = /\{\{\s*(?:char|agentname)\s*\}\}|<(?:char|bot)>/gi
const reader = /\{\{\s*user\d*\s*\}\}|<user>/gi

/**
 * A text of a card with the agent's name and a plain word in the places that programs fill in; other
 * macros stay as they are, for nothing here fills in the texts of a profile.
 */
export function filledIn(text: string, name: string): string {
  if (!text.includes('{{') && !text.includes('<')) return text
  return text.replaceAll(self, () => name).replaceAll(reader, 'the user')
}

/** The text cut to so many characters, and never inside one. */
export function cutTo(text: string, charactersAtMost: number): string {
  return text.length <= charactersAtMost ? text : text.slice(0, charactersAtMost).toWellFormed()
}
