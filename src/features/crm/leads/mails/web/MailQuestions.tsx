import { useQuery } from '@tanstack/react-query'
import type { Lead } from '#features/crm/leads/contract.ts'
import { Answers, leadMails, type Question } from '#features/crm/leads/mails/contract.ts'
import classes from '#features/crm/leads/mails/web/Mail.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { LongTextField } from '#web/form/inputs.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { useDraftForm } from '#web/form/useDraftForm.ts'
import { useWhyNotSave } from '#web/form/useWhyNotSave.ts'
import { ErrorState, LoadingState } from '#web/list/states.tsx'
import { RightModal } from '#web/parts/RightModal.tsx'
import { toast } from '#web/message/toast.ts'

interface Props {
  lead: Pick<Lead, 'lead_id' | 'companyName'>
  onClose: () => void
}

/** Form for the lead's answers to the prospecting questions. */
export default function MailQuestions({ lead, onClose }: Props) {
  const query = useQuery({
    ...queryOptionsFor(leadMails.questions, { query: { lead_id: lead.lead_id } }),
    staleTime: 0,
    refetchOnWindowFocus: false,
  })
  if (query.data && !query.isFetching)
    return <AnswersForm lead={lead} questions={query.data.data} onClose={onClose} />
  return (
    <RightModal title="Questions" onClose={onClose} size={520}>
      {query.error ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <LoadingState />
      )}
    </RightModal>
  )
}

const fieldOf = (id: number) => `q${id}`

function AnswersForm({ lead, questions, onClose }: Props & { questions: readonly Question[] }) {
  const { send } = useSend(leadMails.answerQuestions, {
    failure: 'throw',
  })
  const whyNotSave = useWhyNotSave(leadMails.answerQuestions)
  const initial: Record<string, string> = Object.fromEntries(
    questions.map(({ id, answer }) => [fieldOf(id), answer]),
  )
  const form = useDraftForm<Record<string, string>>({
    name: `questions-${lead.lead_id}`,
    initial,
    schema: Answers,
    toSend: (values) => ({
      lead_id: lead.lead_id,
      answers: questions.map(({ id }) => ({ question_id: id, answer: values[fieldOf(id)] ?? '' })),
    }),
    onSave: async (values) => {
      const changed = questions.filter(({ id, answer }) => (values[fieldOf(id)] ?? '').trim() !== answer)
      if (changed.length) {
        await send({
          body: {
            lead_id: lead.lead_id,
            answers: changed.map(({ id }) => ({ question_id: id, answer: values[fieldOf(id)] ?? '' })),
          },
        })
        toast.success('Answers saved.')
      }
    },
    onSaved: onClose,
  })
  return (
    <FormModal
      title={`Questions for ${lead.companyName}`}
      form={form}
      onClose={onClose}
      whyNotSave={whyNotSave}
      side="right"
    >
      {questions.map(({ id, name, who, merged }) => (
        <LongTextField
          key={id}
          form={form.fields}
          name={fieldOf(id)}
          label={name}
          {...(who || merged.length ? { description: <AnswerSources who={who} merged={merged} /> } : {})}
          rows={1}
          maxLength={2000}
        />
      ))}
    </FormModal>
  )
}

/** The user who recorded the answer, and the answers of leads merged into this one. */
function AnswerSources({ who, merged }: Pick<Question, 'who' | 'merged'>) {
  return (
    <>
      {who && `Recorded by ${who}`}
      {merged.map((one) => (
        <span key={one.lead_id} className={classes.merged}>
          {one.companyName} (#{one.lead_id}, merged) answered: “{one.answer}”, recorded by {one.who}
        </span>
      ))}
    </>
  )
}
