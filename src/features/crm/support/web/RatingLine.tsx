import { scores, type Rating, type Score } from '#features/crm/support/ratings.contract.ts'
import classes from '#features/crm/support/web/support.module.css'
import { Moment } from '#web/Moment.tsx'
import { Tone } from '#web/parts/Tone.tsx'

export const ScoreTone = ({ score }: { score: Score }) => (
  <Tone tone={score === 'good' ? 'green' : 'red'}>{scores[score]}</Tone>
)

/** How satisfied the customer was with a reply, in their words. */
export const RatingLine = ({ score, comment, rated_at }: Rating) => (
  <div className={classes.rating}>
    Rated <ScoreTone score={score} /> <Moment at={rated_at} />
    {comment !== '' && <p>“{comment}”</p>}
  </div>
)
