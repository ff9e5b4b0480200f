import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { dayText } from '#shared/dates.ts'
import { plainDay } from '#shared/schemas.ts'
import { NewTerms, terms, type TermsRow } from '#features/admin/terms/contract.ts'
import { Differences } from '#features/admin/terms/web/Differences.tsx'
import classes from '#features/admin/terms/web/terms.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { DayField } from '#web/form/inputs.tsx'
import { FormPage } from '#web/form/FormPage.tsx'
import { useDraftForm } from '#web/form/useDraftForm.ts'
import { useWhyNotSave } from '#web/form/useWhyNotSave.ts'
import { RichTextField } from '#web/richtext/RichTextField.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { toast } from '#web/message/toast.ts'

const list = '/term&conditions'

/** In the form, the date is required, so that no version takes effect by accident. */
const schema = NewTerms.extend({ effective_on: plainDay })

/** Page for writing the next version, starting from the text in effect. */
export function NewTermsPage() {
  const { data } = useQuery(queryOptionsFor(terms.list, { query: {} }))
  const from = data?.in_force ?? data?.data[0]
  const asked = queryOptionsFor(terms.show, { params: { id: from?.id ?? 0 } })
  const shown = useQuery({ ...asked, enabled: () => from !== undefined && asked.enabled() })
  if (from !== undefined && shown.isLoading) return <PageHeader parents={[[list, 'Terms & conditions']]} />
  return <NewTermsForm value={shown.data?.data.value ?? ''} from={from} next={data?.next ?? undefined} />
}

interface Props {
  value: string
  /** The version whose text the new version starts from. */
  from: TermsRow | undefined
  /** The version that is scheduled next. */
  next: TermsRow | undefined
}

function NewTermsForm({ value, from, next }: Props) {
  const navigate = useNavigate()
  const [reviewed, setReviewed] = useState<string>()
  const { send } = useSend(terms.store, { failure: 'throw' })
  const whyNotSave = useWhyNotSave(terms.store)
  const form = useDraftForm({
    name: 'terms-new',
    initial: { value, effective_on: '' },
    schema,
    onSave: async (values) => {
      const reply = await send({ body: values })
      if (!reply) return
      toast.success(reply.message)
      void navigate({ to: list, ignoreBlocker: true })
    },
  })
  const review = () => {
    form.inner.flushPendingInput()
    setReviewed(form.fields.getValues().value)
  }
  const isReviewed = from === undefined || reviewed === form.fields.values.value
  return (
    <>
      <PageHeader parents={[[list, 'Terms & conditions']]} />
      <FormPage
        label="New version"
        form={form}
        whyNotSave={whyNotSave ?? (isReviewed ? undefined : 'Review the changes before publishing.')}
        saveLabel="Publish version"
        onCancel={() => void navigate({ to: list })}
        actions={
          from !== undefined && (
            <Button variant="default" onClick={review}>
              Review changes
            </Button>
          )
        }
      >
        {from !== undefined && (
          <p className={classes.facts}>
            The text starts from version {from.id}, effective {dayText(from.effective_on)}.
            {next &&
              ` It doesn’t include version ${next.id}, which takes effect ${dayText(next.effective_on)}.`}
          </p>
        )}
        <DayField
          form={form.fields}
          name="effective_on"
          label="Effective date"
          required
          description="Today or later. Published versions can’t be changed."
        />
        <RichTextField label="Content" sendPicture={null} {...form.fields.getInputProps('value')} />
        {from !== undefined && reviewed !== undefined && (
          <section className={classes.sheet} aria-label="Changes">
            <Differences title={`Changes from version ${from.id}`} before={value} after={reviewed} />
          </section>
        )}
      </FormPage>
    </>
  )
}
