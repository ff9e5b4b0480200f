import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { NewTerms, terms } from '#features/admin/terms/contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { DayField } from '#web/form/fields.tsx'
import { FormPage } from '#web/form/FormPage.tsx'
import { useDraftForm } from '#web/form/useDraftForm.ts'
import { useWhyNotSave } from '#web/form/useWhyNotSave.ts'
import { RichTextField } from '#web/richtext/RichTextField.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { toast } from '#web/message/toast.ts'

const list = '/term&conditions'

/** Page for writing the next version, starting from the newest text. */
export function NewTermsPage() {
  const { data } = useQuery(queryOptionsFor(terms.list, { query: {} }))
  const newest = data?.data[0]?.id
  const asked = queryOptionsFor(terms.show, { params: { id: newest ?? 0 } })
  const shown = useQuery({ ...asked, enabled: () => newest !== undefined && asked.enabled() })
  if (newest !== undefined && shown.isLoading) return <PageHeader parents={[[list, 'Terms & conditions']]} />
  return <NewTermsForm value={shown.data?.data.value ?? ''} />
}

function NewTermsForm({ value }: { value: string }) {
  const navigate = useNavigate()
  const { send } = useSend(terms.store, { refresh: [terms.list, terms.show], failure: 'throw' })
  const whyNotSave = useWhyNotSave(terms.store)
  const form = useDraftForm({
    name: 'terms-new',
    initial: { value, effective_on: '' },
    schema: NewTerms,
    onSave: async (values) => {
      const reply = await send({ body: values })
      if (!reply) return
      toast.success(reply.message)
      void navigate({ to: list, ignoreBlocker: true })
    },
  })
  return (
    <>
      <PageHeader parents={[[list, 'Terms & conditions']]} />
      <FormPage
        label="New version"
        form={form}
        whyNotSave={whyNotSave}
        saveLabel="Publish version"
        onCancel={() => void navigate({ to: list })}
      >
        <DayField
          form={form.fields}
          name="effective_on"
          label="Effective date"
          description="Leave empty to start today. Published versions can’t be changed."
        />
        <RichTextField label="Content" sendPicture={null} {...form.fields.getInputProps('value')} />
      </FormPage>
    </>
  )
}
