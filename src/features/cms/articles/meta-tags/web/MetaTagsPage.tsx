import { metaTags, MetaTagChange, type MetaTag } from '#features/cms/articles/meta-tags/contract.ts'
import { SearchPreview } from '#features/cms/articles/shared/web/SearchPreview.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { changedOf } from '#web/form/changedOf.ts'
import { LongTextField, TextField } from '#web/form/inputs.tsx'
import { FormPage } from '#web/form/FormPage.tsx'
import { useDraftForm, type DraftForm } from '#web/form/useDraftForm.ts'
import { useWhyNotSave } from '#web/form/useWhyNotSave.ts'
import { RecordPage } from '#web/record/RecordPage.tsx'
import { useProduct } from '#web/session.ts'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { NoAccessPage } from '#web/states/NoAccess.tsx'
import { toast } from '#web/message/toast.ts'
import { fullTime } from '#web/time.ts'

type Values = Record<keyof typeof MetaTagChange.shape, string>
const names = Object.keys(MetaTagChange.shape) as (keyof Values)[]

/** Page with the meta tags for the chosen product's category and FAQ pages. */
export function MetaTagsPage() {
  const id = useProduct() ?? 0
  const may = useMay(metaTags.show, { params: { id } })
  if (!may) return <NoAccessPage />
  return (
    <RecordPage<{ data: MetaTag }>
      key={id}
      asked={queryOptionsFor(metaTags.show, { params: { id } })}
      title="Meta tags"
    >
      {({ data }) => <MetaTagForm key={data.id} stored={data} />}
    </RecordPage>
  )
}

function MetaTagForm({ stored }: { stored: MetaTag }) {
  const { send } = useSend(metaTags.update, { failure: 'throw' })
  const whyNotSave = useWhyNotSave(metaTags.update, { params: { id: stored.id }, body: {} })
  const initial = Object.fromEntries(names.map((name) => [name, stored[name]])) as Values
  const form = useDraftForm<Values>({
    name: `meta-tags-${stored.id}`,
    initial,
    schema: MetaTagChange,
    onSave: async (values) => {
      const reply = await send({ params: { id: stored.id }, body: changedOf(values, initial) })
      if (reply) toast.success(reply.message)
    },
  })
  return (
    <>
      <PageHeader />
      <FormPage label="Meta tags" form={form} whyNotSave={whyNotSave}>
        {stored.updated_at && (
          <p>
            Updated {fullTime(stored.updated_at)} by {stored.updated_by_name}.
          </p>
        )}
        <MetaTagFields form={form} side="category" label="Category pages" address="/categories" />
        <MetaTagFields form={form} side="faq" label="FAQ pages" address="/faqs" />
      </FormPage>
    </>
  )
}

function MetaTagFields({
  form: { fields },
  side,
  label,
  address,
}: {
  form: DraftForm<Values>
  side: 'category' | 'faq'
  label: string
  address: string
}) {
  const values = fields.getValues()
  return (
    <fieldset style={{ display: 'grid', gap: 12, border: '1px solid var(--line)', borderRadius: 8 }}>
      <legend>{label}</legend>
      <TextField form={fields} name={`${side}_title`} label="Title" maxLength={200} />
      <LongTextField form={fields} name={`${side}_description`} label="Description" maxLength={10_000} />
      <TextField form={fields} name={`${side}_meta_title`} label="Meta title" maxLength={300} />
      <LongTextField
        form={fields}
        name={`${side}_meta_description`}
        label="Meta description"
        rows={2}
        maxLength={1000}
      />
      <TextField form={fields} name={`${side}_meta_keyword`} label="Meta keywords" maxLength={1000} />
      <SearchPreview
        label={`Search result preview for ${label}`}
        title={values[`${side}_meta_title`]}
        description={values[`${side}_meta_description`]}
        otherwise={{ title: values[`${side}_title`], description: values[`${side}_description`] }}
        address={address}
      />
    </fieldset>
  )
}
