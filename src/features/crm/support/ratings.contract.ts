import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { instant, text } from '#shared/schemas.ts'

/** How long an answer can be rated, after its email was queued. */
export const daysToRate = 30
export const scores = { good: 'Good', bad: 'Bad' } as const
export type Score = keyof typeof scores
export const scoreNames = Object.keys(scores) as Score[]
const score = z.enum(scoreNames, { error: 'Choose Good or Bad.' })

/** A customer's rating of an answer. */
export const Rating = z.object({ score, comment: z.string(), rated_at: instant })
export type Rating = z.output<typeof Rating>

const link = z.object({ token: z.string().max(100) })

export const ratings = {
  ask: endpoint({
    method: 'GET',
    path: '/public/rating/{token}',
    summary: 'Get the page on which a customer rates an answer, as HTML. Opening it changes nothing.',
    calledBy: 'email clients',
    access: 'public',
    answers: 'html',
    params: link,
    query: z.object({ score: score.optional() }),
  }),
  rate: endpoint({
    method: 'POST',
    path: '/public/rating/{token}',
    summary: 'Rate an answer, or change the rating. Returns HTML; 410 after 30 days.',
    act: 'Rated an answer',
    calledBy: 'email clients',
    access: 'public',
    answers: 'html',
    params: link,
    body: z.object({ score, comment: text(1000).default('') }),
  }),
}
