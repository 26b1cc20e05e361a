/// How a report looks: on screens of any width, in the dark, on paper. The contrast of every text is
/// at least 4.5 to 1 (WCAG 2.2, 1.4.3).
enum ReportStyle {
    static let css: StaticString = """
        :root{color-scheme:light dark;--page:#fbfbf9;--sheet:#fff;--ink:#1c2430;--soft:#56606f;\
        --line:#dfe2e6;--bar:#2f5d8a;--track:#e8ebef;--alarm:#9b2c1f;--wash:#f3f5f7}
        @media (prefers-color-scheme:dark){:root{--page:#14181d;--sheet:#1b2026;--ink:#e6e9ed;\
        --soft:#a3adba;--line:#333b45;--bar:#7fb0de;--track:#2a313a;--alarm:#f0917f;--wash:#222830}}
        *{box-sizing:border-box}
        body{margin:0;background:var(--page);color:var(--ink);\
        font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","DejaVu Sans",sans-serif;\
        font-variant-numeric:tabular-nums;-webkit-text-size-adjust:100%}
        main,header,footer{max-width:66rem;margin:0 auto;padding:0 1.5rem}
        header{padding-top:3rem}
        h1{font-size:2rem;line-height:1.2;margin:0 0 .25rem;font-weight:650;letter-spacing:-.01em}
        h2{font-size:1.25rem;margin:3rem 0 .75rem;padding-top:1.25rem;border-top:2px solid var(--ink);\
        font-weight:650}
        p{max-width:48rem;margin:.5rem 0 1rem}
        .lead,.note,figcaption,small,caption{color:var(--soft)}
        .note,small{font-size:.875rem}
        small{display:block;line-height:1.4}
        a{color:inherit;text-underline-offset:.2em}
        nav ul{list-style:none;display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;padding:0;\
        margin:1.25rem 0 0;font-size:.9375rem}
        .facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(9rem,1fr));gap:1px;\
        margin:1.5rem 0;padding:1px}
        .facts div{background:var(--sheet);padding:.8rem 1rem;box-shadow:0 0 0 1px var(--line)}
        .facts dt{font-size:.8125rem;color:var(--soft)}
        .facts dd{margin:0;font-size:1.375rem;font-weight:600;line-height:1.3}
        .facts dd.small{font-size:1rem;font-weight:500;padding-top:.3rem}
        .facts .alarm{color:var(--alarm)}
        figure{margin:1.5rem 0}
        figcaption{font-weight:600;margin-bottom:.5rem;color:var(--ink)}
        .chart{display:flex}
        .chart .plot{flex:1;min-width:0}
        svg{display:block;overflow:visible}
        svg.scale{flex:none}
        svg text{fill:var(--soft);font-size:12px}
        svg text.name{fill:var(--ink);font-size:14px}
        svg text.end{text-anchor:end}
        svg text.middle{text-anchor:middle}
        svg rect{fill:var(--bar)}
        svg rect.track{fill:var(--track)}
        svg line{stroke:var(--line);stroke-width:1}
        svg line.base{stroke:var(--soft)}
        .alarming rect{fill:var(--alarm)}
        .scroll{overflow-x:auto;margin:1rem 0;border:1px solid var(--line);background:var(--sheet)}
        .scroll:focus-visible{outline:2px solid var(--bar);outline-offset:2px}
        table{border-collapse:collapse;width:100%;font-size:.9375rem;line-height:1.45}
        th,td{text-align:start;vertical-align:top;padding:.5rem .9rem;border-bottom:1px solid var(--line)}
        tbody tr:last-child>*{border-bottom:0}
        thead th{font-size:.8125rem;font-weight:600;color:var(--soft);background:var(--wash);\
        white-space:nowrap}
        tbody th{font-weight:500}
        .number{text-align:end;white-space:nowrap}
        .when{white-space:nowrap;width:1%}
        .lead{max-width:none}
        .what{min-width:15rem}
        .actor{min-width:8.5rem;width:20%}
        bdi,code{overflow-wrap:anywhere}
        code,.code{font-family:ui-monospace,"SF Mono",Consolas,"DejaVu Sans Mono",monospace;\
        font-size:.8125rem}
        .data{margin:.3rem 0 0;font-size:.8125rem;line-height:1.5;display:grid;\
        grid-template-columns:max-content minmax(0,1fr);gap:0 .75rem}
        .data dt{color:var(--soft)}
        .data dd{margin:0;overflow-wrap:anywhere;min-width:0}
        .kinds{list-style:none;margin:0;padding:0}
        .seal{border:1px solid var(--line);background:var(--sheet);padding:.25rem 1.25rem;margin:1rem 0}
        .seal dl{display:grid;grid-template-columns:max-content 1fr;gap:.4rem 1.5rem}
        .seal dt{color:var(--soft)}
        .seal dd{margin:0;overflow-wrap:anywhere;min-width:0}
        pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:0}
        details{margin-top:.5rem;font-size:.9375rem}
        summary{cursor:pointer;color:var(--soft)}
        details table{max-width:24rem;margin-top:.5rem}
        details th,details td{padding:.2rem .5rem}
        .unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);\
        white-space:nowrap}
        footer{padding-top:2rem;padding-bottom:3rem;color:var(--soft);font-size:.875rem}
        @media (max-width:40rem){header{padding-top:1.75rem}main,header,footer{padding-left:1rem;\
        padding-right:1rem}h1{font-size:1.625rem}svg text.wide{display:none}th,td{padding:.45rem .6rem}\
        svg text.name{font-size:13px}.facts{grid-template-columns:1fr 1fr}\
        .seal dl{grid-template-columns:1fr;gap:0}.seal dd{margin-bottom:.6rem}\
        .stacks thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}\
        .stacks tbody,.stacks tr,.stacks td{display:block}.stacks tr{padding:.5rem 0;\
        border-bottom:1px solid var(--line)}.stacks tr:last-child{border-bottom:0}\
        .stacks td{border:0;padding:.1rem .75rem}.stacks .what{min-width:0}\
        .what{min-width:11rem}.actor{min-width:6.5rem;width:auto}}
        @media print{:root{color-scheme:light;--page:#fff;--sheet:#fff;--ink:#000;--soft:#444;\
        --line:#bbb;--bar:#333;--track:#eee;--alarm:#000;--wash:#f4f4f4}body{font-size:10pt}\
        main,header,footer{max-width:none;padding:0}header{padding-top:0}nav,summary{display:none}\
        .scroll{overflow:visible;border:0}thead{display:table-header-group}\
        tr,figure,.facts div,.seal{break-inside:avoid}h2{break-after:avoid}\
        svg rect{print-color-adjust:exact;-webkit-print-color-adjust:exact}\
        details::details-content{content-visibility:visible;display:block}}
        """
}
