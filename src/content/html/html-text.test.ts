import { expect, test } from 'vitest';
import { htmlText } from './html-text.ts';

test.each([
  ['words and spaces', '<p>One <b>big</b>\n  world</p>', 'One big world'],
  ['paragraphs', '<p>One</p><p>&nbsp;</p><p>Two</p>', 'One\n\nTwo'],
  ['lines', 'One<br>Two<br/>Three<div>Four</div>', 'One\nTwo\nThree\nFour'],
  [
    'a table',
    '<table><tr><th>Item<th>Price<tr><td>Paper</td><td>5,00</td></tr></table>End',
    'Item\tPrice\nPaper\t5,00\n\nEnd',
  ],
  ['paragraphs in cells', '<tr><td><p>Total</p></td><td><p>12,00</p></td></tr>', 'Total\t12,00'],
  ['cells of several lines', '<tr><td><p>a</p><p>b</p></td><td>c</td></tr>', 'a\n\nb\n\nc'],
  ['empty cells', '<tr><td></td><td>a</td></tr><tr><td></td></tr><tr><td>b</td></tr>', 'a\nb'],
  [
    'tables in tables',
    '<table><tr><td><table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table></td><td>d</td></tr></table>',
    'a\tb\nc\n\nd',
  ],
  ['lists', '<ul><li>one<li>two</ul>', '- one\n- two'],
  ['what is laid out already', '<pre>a  b\nc</pre>', 'a  b\nc'],
  [
    'what nobody sees',
    '<title>t</title><STYLE>p{}</STYLE><script>if (a</p>) x()</script >a<!-- <p>b -->c',
    'ac',
  ],
  [
    'links by their text',
    'See <a href="https://example.com/?a=1">our <i>page</i></a>',
    'See our page',
  ],
  [
    'entities',
    '&lt;b&gt; &amp;amp; &Auml;&szlig;&euro; &#8364;&#x20ac;&#128; &nope; &#99999999; &constructor;',
    '<b> &amp; Äß€ €€€ &nope; &#99999999; &constructor;',
  ],
  ['signs that are no tags', '1 < 2 and 3 > 2 <3', '1 < 2 and 3 > 2 <3'],
  ['a tag that never ends', 'a <a href="', 'a'],
  ['a script that never ends', 'a<script>b', 'a'],
  ['conditions', '<!--[if mso]>a<![endif]--><![if !mso]>b<![endif]><?xml c?>', 'b'],
])('%s', (_, html, text) => {
  expect(htmlText(html)).toBe(text);
});

test.each(['<', '<a "', '<!--', '<script>', '<td>', '&#', '<p>x', '</', '<pre>\n'])(
  'half a million times %j is soon read',
  (piece) => {
    expect(htmlText(piece.repeat(500_000)).length).toBeLessThan(4_000_000);
  },
);
