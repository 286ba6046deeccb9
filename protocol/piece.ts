/** A piece of what a model writes, as run and chat events show it. */
export interface Piece {
  /** Grows with each answer of the model: a new one takes the place of the one before. */
  answer: number
  /** How many characters of the answer come before it. */
  at: number
  text: string
}

/** The type of the events that hold one. */
export const pieceType = 'model.piece'

/** The piece in an event of a stream. */
export function pieceIn(text: string): Piece {
  // The operations that show pieces have this form.
  return JSON.parse(text) as Piece
}
