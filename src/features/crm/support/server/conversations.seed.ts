/** A ticket of the demo data. */
interface Conversation {
  title: string
  /** HTML: a question, an answer, a second question, and a second answer. */
  messages: readonly [string, string, string, string]
  note: string
}

const p = (...paragraphs: string[]) => paragraphs.map((text) => `<p>${text}</p>`).join('')

/** Conversations of the demo tickets. All text is invented. */
export const conversations: readonly Conversation[] = [
  {
    title: 'Scanner stopped working after the update',
    messages: [
      p(
        'Good morning. Since last night’s update, the handheld in our linen room beeps but no longer adds towels to the count. Sheets still work.',
        'We counted 340 towels by hand today. Could you take a look?',
      ),
      p(
        'Thanks for the details. Could you open <strong>Settings → Devices</strong> on the handheld, and tell me the number next to <strong>RFID profile</strong>?',
        'Until this is fixed, <strong>Count → Manual</strong> keeps your totals right.',
      ),
      p(
        'It says RFID profile <strong>4.0.2</strong>. We have 62 rooms arriving on Friday and must order towels tomorrow by noon. Is there a way to get the counts right before then?',
      ),
      p(
        'That’s what we needed. The old towel tags need profile 4.0.1, and your handheld gets it tonight. Please restart it tomorrow morning before the first count.',
      ),
    ],
    note: 'Same symptom at another hotel last week. Both use the old 96-bit towel tags.',
  },
  {
    title: 'Can’t sign in since this morning',
    messages: [
      p(
        'Two of us can’t sign in since this morning. The page says “Your session has expired” right after the password. Our night manager is still signed in and can work.',
      ),
      p('Sorry about that. Which browser do the two of you use? And does it work in a private window?'),
      p('Chrome on both computers. In a private window it works. How did you know?'),
      p(
        'An old cookie was in the way. Please delete the cookies of our address once: lock symbol beside the address, then <strong>Cookies and site data → Delete</strong>. It won’t come back.',
      ),
    ],
    note: 'Third report this week, always Chrome and always after a domain change.',
  },
  {
    title: 'Wrong company name on invoice 0417',
    messages: [
      p(
        'Invoice 0417 is made out to our old company name. Our accountant can’t book it like this. Could you send a corrected one?',
      ),
      p('Of course. Please send me the full name and the address as they should be on the invoice.'),
      p(
        'It’s the name that is in your system since August, with the same address. Only the invoice has the old one.',
      ),
      p(
        'I’ve asked accounting for a corrected invoice. You’ll get it by email today, with the same number and an “A” at the end.',
      ),
    ],
    note: 'Accounting has its own copy of the name. Asked them to update it.',
  },
  {
    title: 'How do we count returned table linens?',
    messages: [
      p(
        'We rent out table linens for weddings. When they come back, some are stained and some are missing. How do we count them so that the invoice is right?',
      ),
      p(
        'There are three ways to return an item: <strong>Clean</strong>, <strong>To wash</strong>, and <strong>Lost</strong>. Only lost ones are charged.',
        'Open the order, choose <strong>Return</strong>, and scan. Everything that isn’t scanned is offered as lost at the end.',
      ),
      p('That works, thanks. Can we set a different price for stained napkins?'),
      p('Yes: <strong>Items → Napkins → Prices → Stained</strong>. It counts for returns from then on.'),
    ],
    note: 'They would like a call about pricing. Good candidate for the events module.',
  },
  {
    title: 'Monthly report is empty',
    messages: [
      p('The report for last month is empty, but we worked every day. The one before is fine.'),
      p(
        'Thanks for letting us know. Did you import a file at the beginning of the month, or change your time zone?',
      ),
      p('Yes, we imported the new price list on the 1st.'),
      p(
        'Found it: the price list had no start date, so the counts of last month had no price. I’ve set it to the 1st, and the report is complete now. Please check the total on page 2.',
      ),
    ],
    note: 'Import should warn about a missing start date. Will suggest it to development.',
  },
  {
    title: 'Second printer for the linen room',
    messages: [
      p(
        'We’d like to add a second label printer in the linen room. It’s the same model. Do we need another license?',
      ),
      p(
        'No, printers are included. Connect it to the same network, then choose <strong>Settings → Printers → Find</strong>.',
      ),
      p('It’s found, but both printers print every label now.'),
      p(
        'Each workstation has its own printer under <strong>Settings → This workstation</strong>. Please choose one there on each of them.',
      ),
    ],
    note: 'Called back. They have three workstations, one shared tablet.',
  },
  {
    title: 'Please add two users for our new hotel',
    messages: [
      p(
        'We open our second house next month. Could you add two users, Nora (front office) and Emil (laundry)? Both should see the new house only.',
      ),
      p('Happy to. Which email addresses should they use, and from which day?'),
      p('nora@ and emil@ with our usual domain, from the first of next month, please.'),
      p('Both are set up. They get an email on the first with a link to choose their password.'),
    ],
    note: 'Contract covers up to 20 users, so no change needed.',
  },
  {
    title: 'Delivery slips print twice',
    messages: [
      p(
        'Each delivery slip comes out twice since last week. The drivers sign one, and the other goes in the bin.',
      ),
      p(
        'Thanks for reporting this. Is <strong>Copies for the driver</strong> set to 1 under <strong>Settings → Slips</strong>?',
      ),
      p('It was set to 2. We didn’t change it, but now it’s right.'),
      p(
        'Good to hear. The update of last week set it to 2 for routes with a return; we’ve changed that back for everyone.',
      ),
    ],
    note: 'Another two customers affected. Linked in the release notes.',
  },
  {
    title: 'App is slow on our tablets',
    messages: [
      p('On our tablets, the app takes about ten seconds to open an order. On the computer it’s immediate.'),
      p(
        'Which tablets are they, and how many open orders do you have? You can see it at the bottom of <strong>Orders</strong>.',
      ),
      p('Seven-year-old ones, 2,300 open orders. Some of them are from last year.'),
      p(
        'Closing the old orders will help most: <strong>Orders → Select all before … → Close</strong>. The next version also loads only the orders of the day.',
      ),
    ],
    note: 'Measured with them on the phone: 9.4 s before, 1.1 s after closing old orders.',
  },
  {
    title: 'Can we sort the inventory list by floor?',
    messages: [
      p(
        'Our housekeepers walk floor by floor, but the inventory list is sorted by item. Can it be sorted by floor?',
      ),
      p(
        'Not yet, but it’s planned. Until then, you can print one list for each floor: <strong>Inventory → Filter → Floor</strong>.',
      ),
      p('That’s twelve lists for us. When do you expect it?'),
      p('With the next update in three weeks. You’ll get an email when it’s there.'),
    ],
    note: 'Requested by five customers so far.',
  },
  {
    title: 'Training for our night shift',
    messages: [
      p(
        'We have four new people on the night shift. Is there a training that isn’t in the middle of their night?',
      ),
      p('We have one online at 7 p.m. on the second Tuesday of each month, 45 minutes. Would that work?'),
      p('Yes. Please book four places for the next one. Do they need an account before?'),
      p('Booked. They can use the practice house without an account; the link is in the invitation.'),
    ],
    note: 'Asked for the recording afterward, too.',
  },
  {
    title: 'Labels print blank',
    messages: [
      p('Labels come out blank since we changed the roll. The test page of the printer is fine.'),
      p(
        'That’s often the side of the roll. Please scratch the label with a fingernail: if no dark line appears, the roll is the wrong way around.',
      ),
      p(
        'No dark line! We turned it around, and it prints now. But the first label of each roll is still blank.',
      ),
      p(
        'The printer measures the length with the first label. Hold <strong>Feed</strong> for five seconds after changing the roll, and it does that on the backing instead.',
      ),
    ],
    note: 'Sent them the one-page guide for changing rolls.',
  },
]
