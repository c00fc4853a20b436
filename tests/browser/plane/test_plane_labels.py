"""The labels of the plane: none overprints another, covers a point or is cut off."""

from tests.browser.conftest import opened, wait_for_run

OVERLAPS = """async () => {
    const texts = rosenblattLab.planes[0].shapes().filter(({ kind }) => kind === "text");
    const pen = document.createElement("canvas").getContext("2d");
    const boxOf = ({ at: [x, y], text, anchor, italic }) => {
        pen.font = italic ? "italic 14px Georgia, serif" : "12px system-ui, sans-serif";
        const { width } = pen.measureText(text);
        const left = { start: x, middle: x - width / 2, end: x - width }[anchor];
        return [left, y - 9, left + width, y + 2];
    };
    return texts.flatMap((one, k) => texts.slice(k + 1).flatMap((other) => {
        const [[left, top, right, bottom], [l, t, r, b]] = [boxOf(one), boxOf(other)];
        return left < r && l < right && top < b && t < bottom ? [`${one.text} over ${other.text}`] : [];
    }));
}"""
OPEN = """async (hash) => {
    const { openFromUrl } = await import("/static/state/url.js");
    await openFromUrl(rosenblattLab, hash);
}"""


def test_labels_never_overprint(lab, open_page):
    page = opened(lab, open_page, "#data=xor&rule=L0&tie=positive&init=zeros&also=pocket,average")
    page.locator(".panel-proof[data-proof=inseparable]").wait_for()
    many = ";".join(f"{(7 * k) % 11 / 10},{(5 * k) % 7 / 10},{k % 2}" for k in range(14))
    for address in ("", "#data=lecture4&rule=L4", f"#points={many}&rule=L0&tie=mistake&init=zeros&max_steps=90"):
        if address:
            page.evaluate(OPEN, address)
        for at in range(14):
            page.evaluate("at => rosenblattLab.actions.go(at)", at)
            assert page.evaluate(OVERLAPS) == [], (address, at)


COVERED = """() => {
    const shapes = rosenblattLab.planes[0].shapes();
    const pen = document.createElement("canvas").getContext("2d");
    const points = shapes.filter(({ kind, fill }) => kind === "marker" && fill);
    return shapes.filter(({ kind, text }) => kind === "text" && /^(w|w \\+ ηyx|ηyx)$|×/.test(text)).flatMap((label) => {
        const { at: [x, y], text, anchor, italic } = label;
        pen.font = italic ? "italic 14px Georgia, serif" : "12px system-ui, sans-serif";
        const { width } = pen.measureText(text);
        const left = { start: x, middle: x - width / 2, end: x - width }[anchor];
        const hit = ({ at: [px, py] }) => px > left - 4 && px < left + width + 4 && py > y - 13 && py < y + 6;
        return points.some(hit) ? [text] : [];
    });
}"""


def test_a_label_covers_no_point_and_no_tip(lab, open_page):
    page = opened(lab, open_page, "#story=unit", viewport={"width": 390, "height": 844})
    for address in ("#story=unit", "#data=xor&rule=L0&tie=positive&init=zeros", "#story=origin&step=2"):
        page.evaluate(OPEN, address)
        for at in range(13):
            page.evaluate("at => rosenblattLab.actions.go(at)", at)
            assert page.evaluate(COVERED) == [], (address, at)


CUT_OFF = """() => {
    const { view } = rosenblattLab.planes[0];
    const pen = document.createElement("canvas").getContext("2d");
    const texts = rosenblattLab.planes[0].shapes().filter(({ kind }) => kind === "text");
    return texts.flatMap(({ at: [x, y], text, anchor, italic }) => {
        pen.font = italic ? "italic 14px Georgia, serif" : "12px system-ui, sans-serif";
        const { width } = pen.measureText(text);
        const left = { start: x, middle: x - width / 2, end: x - width }[anchor];
        return left < 0 || left + width > view.width || y < 9 || y + 2 > view.height ? [`${text} at ${x}, ${y}`] : [];
    });
}"""
LONG = "a column whose name has more letters than a phone has room for in one line of text"
PHONE_STATES = (
    "#data=and&rule=L0&tie=positive&init=zeros",
    "#data=xor&rule=L0&tie=positive&init=zeros&also=pocket,average",
    "#data=lecture4&rule=L4",
    "#data=majority&rule=L3&eta0=2&init=zeros",
    "#data=iris&columns=2,3&rule=L0&multi_class=ova",
    "#data=spirals&rule=L0&tie=mistake&init=zeros&max_steps=400",
    f"#points=1,2,0;3,4,1;2,9,1&columns={LONG},{LONG}&rule=L0",
)


def test_no_label_is_cut_off_by_the_edge_of_a_phone(lab, open_page):
    page = open_page(lab.address, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    wait_for_run(page)
    for address in PHONE_STATES:
        page.evaluate(OPEN, address)
        wait_for_run(page)
        shown = page.evaluate("rosenblattLab.planes[0].shapes().filter(({ kind }) => kind === 'text').length")
        assert shown >= 4, address
        for at in (0, 1, 2, 3, 5, 8, 13, 10**6):
            page.evaluate("at => rosenblattLab.actions.go(at)", at)
            assert page.evaluate(CUT_OFF) == [], (address, at)
