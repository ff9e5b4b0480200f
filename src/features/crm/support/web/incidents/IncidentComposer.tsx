import { useState } from 'react'
import IconCornerUpLeft from '@tabler/icons-react/dist/esm/icons/IconCornerUpLeft.mjs'
import IconLock from '@tabler/icons-react/dist/esm/icons/IconLock.mjs'
import { AnswerForm, UndoAnswer } from '#features/crm/support/web/answers/AnswerForm.tsx'
import { ticketsText } from '#features/crm/support/web/answers/answerWords.ts'
import { IncidentNoteForm } from '#features/crm/support/web/incidents/IncidentNoteForm.tsx'
import {
  incidentAnswerDraft,
  incidentNoteDraft,
  type IncidentProps,
} from '#features/crm/support/web/incidents/incidentParts.ts'
import { Composer } from '#web/composer/Composer.tsx'

const icon = { size: 14, stroke: 1.75, 'aria-hidden': true } as const

/** Box for answering the chosen tickets of an incident, or for writing a note on each of them. */
export function IncidentComposer({ head, recipients, answer }: IncidentProps) {
  const [tab, setTab] = useState('answer')
  const { answered, chosen } = recipients
  return (
    <Composer
      chosen={tab}
      onChoose={setTab}
      tabs={[
        {
          id: 'answer',
          label: `Answer ${ticketsText(answered.length)}`,
          letter: 'r',
          icon: <IconCornerUpLeft {...icon} />,
          to: 'One email each',
          draft: incidentAnswerDraft(head.id),
          content: (
            <>
              <UndoAnswer answer={answer} />
              <AnswerForm
                answer={answer}
                count={answered.length}
                category={head.category}
                writing={{ type: 'ticket', id: head.id, what: 'reply' }}
              />
            </>
          ),
        },
        {
          id: 'note',
          label: `Internal note on ${chosen.length}`,
          letter: 'n',
          isInternal: true,
          icon: <IconLock {...icon} />,
          draft: incidentNoteDraft(head.id),
          content: <IncidentNoteForm id={head.id} ids={chosen.map(({ id }) => id)} />,
        },
      ]}
    />
  )
}
