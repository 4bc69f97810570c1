"""What begins or ends inside a sentence, and what only looks so."""

import pytest

from ringtrue.report.diagnosis.passages.boundaries import Style, begins_inside, ends_inside, style_of

PLAIN = Style()

CUT_AT_THE_BEGINNING = [
    "uests must reach us within 14 days. Later ones are refused.",
    "and the parcel is sent on the next working day, unless it is a Sunday.",
    ", which we refund in full. The rest is kept.",
    "...the second half of the rule holds for gifts only.",
    "ändern Sie die Adresse im Konto. Danach gilt sie sofort.",
    "为您处理。，退款需要七天。"[5:],  # begins with a comma
    ". The parcel is then sent back to you free of charge.",
]
WHOLE_BEGINNINGS = [
    "Requests must reach us within 14 days.",
    "14 days after purchase the right ends.",
    "“we refund” is what the law says about it.",
    "- the first thing you need is a label for the parcel",
    "a) open the app and choose the order that you want to change",
    "1. open the app",
    "## returns and refunds",
    "| item | price |\n|---|---|\n| cup | 4 |",
    "iPhone cases are sold separately, and so are chargers for them.",
    "pandas.read_csv reads a file of values that are parted by commas.",
    "def refund(order):\n    return order.total",
    "https://shop.example/returns is where the form stands for you.",
    "return policy",
    ".NET is needed on the till before the update can be started at all.",
    "退款需要七个工作日。",
    "يستغرق رد المبلغ سبعة أيام.",
    "",
    "   ",
]
CUT_AT_THE_END = [
    "Requests must reach us within 14 days. Later ones are refused unless the",
    "The parcel is sent on the next working day, unless that day is a Sunday or a public holi",
    "Gifts can be changed for a voucher,",
    "Returned goods are checked in our warehouse in Porto and then,",
    "退款申请提交后，我们会在七个工作日内处理完毕，并通过短信通知您，如果您没有收到",
    "يستغرق رد المبلغ سبعة أيام عمل بعد وصول الطرد إلى مستودعنا في مدينة بورتو ثم نرسل",
]
WHOLE_ENDINGS = [
    "Requests must reach us within 14 days.",
    "Is it free? Yes, it is!",
    "He said: “It is free.”",
    "The fee is waived (for members).",
    "It takes 14 days.[3]",
    "Sizes and colours",
    "Contact us\nPhone: 123 456",
    "You need:\n- a label\n- a box that is large enough for all of the goods that you return",
    "1. Open the app\n2. Choose the order and then the item that you would like to give back",
    "| item | price |\n|---|---|\n| cup | 4 |",
    "const total = order.items.reduce((sum, one) => sum + one.price, 0)",
    "Read the terms before you order anything from us: https://shop.example/terms",
    "退款需要七个工作日。",
    "退款政策",
    "هل الشحن مجاني؟",
    "यह सात दिन में होता है।",
    "สินค้าจะถูกส่งภายในสามวันทำการหลังจากได้รับการชำระเงินเรียบร้อยแล้ว",
    "Follow these steps:",
    "",
]


@pytest.mark.parametrize("text", CUT_AT_THE_BEGINNING)
def test_a_beginning_inside_a_sentence_is_seen(text: str) -> None:
    span = begins_inside(text, PLAIN)
    assert span is not None
    assert 0 <= span[0] < span[1] <= len(text)


@pytest.mark.parametrize("text", WHOLE_BEGINNINGS)
def test_a_whole_beginning_is_left_alone(text: str) -> None:
    assert begins_inside(text, PLAIN) is None


@pytest.mark.parametrize("text", CUT_AT_THE_END)
def test_an_end_inside_a_sentence_is_seen(text: str) -> None:
    span = ends_inside(text, PLAIN)
    assert span is not None
    assert 0 <= span[0] < span[1] <= len(text)


@pytest.mark.parametrize("text", WHOLE_ENDINGS)
def test_a_whole_end_is_left_alone(text: str) -> None:
    assert ends_inside(text, PLAIN) is None


def test_passages_that_do_without_capitals_or_full_stops_are_not_judged_by_them() -> None:
    chats = ["hi there. how do i return it? thanks. bye", "you print the label. then you bring it to us."]
    style = style_of(chats)
    assert style.lower_case
    assert begins_inside(chats[1], style) is None
    transcript = ["so then we go on to the next point which is the budget for the coming year and all " * 3] * 3
    style = style_of(transcript)
    assert style.unmarked
    assert ends_inside(transcript[0], style) is None


def test_ordinary_prose_cut_to_pieces_is_neither_of_both() -> None:
    prose = "Requests must reach us within two weeks. We refund the price. The fee for sending is kept by us. " * 8
    pieces = [prose[start : start + 50] for start in range(0, len(prose), 50)]
    assert style_of(pieces) == PLAIN
