import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import { useParams } from '@tanstack/react-router'
import { articleKindRow, type ArticleKindName } from '#shared/article-kinds.ts'
import { isWebAddress } from '#shared/schemas.ts'
import { callsOf, type KindArticle } from '#features/cms/articles/kinds/contract.ts'
import { kindFields } from '#features/cms/articles/kinds/fields.ts'
import { DeleteArticle, PublishArticle } from '#features/cms/articles/kinds/web/KindActions.tsx'
import { QuietRecordPage } from '#features/cms/articles/kinds/web/QuietRecordPage.tsx'
import { whenText } from '#features/cms/articles/event.rules.ts'
import { ArticleMain } from '#features/cms/articles/shared/web/ArticleFrame.tsx'
import { useUnpublishedPosts } from '#features/cms/articles/posts/web/useLinksToPosts.tsx'
import { ArticlePreview } from '#features/cms/articles/shared/web/ArticlePreview.tsx'
import { useMay } from '#web/api/useSend.ts'
import { FileList } from '#web/files/FileList.tsx'
import { Facts } from '#web/record/Facts.tsx'
import type { Fact } from '#web/record/InPlace.tsx'
import { LiveMailProgress } from '#web/mail/MailProgress.tsx'
import { RecordLayout } from '#web/record/RecordPage.tsx'
import { RecordHeader } from '#web/record/RecordHeader.tsx'
import { Timeline } from '#web/record/Timeline.tsx'
import { TextLink } from '#web/parts/controls.tsx'
import { useBackToList } from '#web/record/useBackToList.ts'
import { capitalize } from '#shared/capitalize.ts'

/** Page that shows an article of the given kind as readers see it, with its actions. */
export function KindPage({ kind }: { kind: ArticleKindName }) {
  const { slug = '' } = useParams({ strict: false }) as { slug?: string }
  const { one } = articleKindRow(kind)
  return (
    <QuietRecordPage kind={kind} slug={slug} title={capitalize(one)}>
      {(article) => <ShowArticle kind={kind} article={article} />}
    </QuietRecordPage>
  )
}

function ShowArticle({ kind, article }: { kind: ArticleKindName; article: KindArticle }) {
  const { one, many } = articleKindRow(kind)
  const backToList = useBackToList(`/${kind}`)
  const mayEdit = useMay(callsOf(kind).update)
  const unpublished = useUnpublishedPosts(article.body, article.product_id)
  return (
    <>
      <RecordHeader
        type={kind}
        id={article.id}
        title={article.title}
        parents={[[`/${kind}`, capitalize(many)]]}
      >
        <PublishArticle kind={kind} article={article} />
        <DeleteArticle kind={kind} article={article} onDone={backToList} />
        {mayEdit && (
          <TextLink
            primary
            to={`/${kind}/edit/${encodeURIComponent(article.slug)}`}
            icon={<IconPencil size={14} aria-hidden />}
          >
            Edit
          </TextLink>
        )}
      </RecordHeader>
      <RecordLayout timeline={<Timeline type={kind} id={article.id} fields={kindFields} />}>
        <ArticleMain>
          <ArticlePreview article={article} unpublished={unpublished} />
          {article.pdf && <FileList files={[article.pdf]} label="PDF" />}
          <Facts
            title={`About this ${one}`}
            facts={[
              ...partFacts(article),
              {
                name: 'PDF URL',
                value: article.pdf && `/api/admin/${kind}/${article.slug}/${article.product_id}/pdf`,
              },
              { name: 'URL', value: `/${kind}/${article.slug}` },
              { name: 'Old slugs', value: article.old_slugs.join(', ') },
              { name: kindFields.featured.label, value: article.featured === 1 && 'Yes' },
              { name: 'Shown on dashboard', value: article.show_in_admin === 1 && 'Yes' },
              { name: 'Email when first published', value: article.send_email === 1 && 'Yes' },
              { name: kindFields.meta_title.label, value: article.meta_title },
              { name: kindFields.meta_description.label, value: article.meta_description },
              { name: kindFields.meta_keyword.label, value: article.meta_keyword },
            ]}
          />
          {article.mail_id !== null && <LiveMailProgress id={article.mail_id} />}
        </ArticleMain>
      </RecordLayout>
    </>
  )
}

/** Returns facts about an event's time and place. */
const partFacts = ({ starts = '', ends = '', zone = '', place = '' }: KindArticle): Fact[] => [
  { name: kindFields.starts.label, value: starts && `${whenText(starts)} (${zone})` },
  { name: kindFields.ends.label, value: ends && whenText(ends) },
  {
    name: kindFields.place.label,
    value: isWebAddress(place) ? (
      <a href={place} target="_blank" rel="noopener noreferrer">
        {place}
      </a>
    ) : (
      place
    ),
  },
]
